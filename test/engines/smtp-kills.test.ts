import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { serve } from '@postroom/rpc/serve';
import { createServiceContext } from '@postroom/runtime/service-context';
import { apiClient, type ApiClient } from '../support/client.ts';
import { proxyTo } from '../support/service-proxy.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { skipAloud } from '../support/skips.ts';
import { type Conversation, openSmtpWire, type SmtpWire, WIRE_STAGES } from '../support/smtp-wire.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { type MailServer, mailServer, PASSWORD } from './support/mail-server.ts';

const IS_FULL = Boolean(process.env.POSTROOM_FULL);
jest.setTimeout(IS_FULL ? 3_600_000 : 300_000);

const { SMTP_ADDR, RELAY_SMTP_ADDR, MAIL_CONTROL } = process.env;
const isGiven = Boolean(SMTP_ADDR && RELAY_SMTP_ADDR && MAIL_CONTROL);
if (!isGiven) skipAloud('sends under kills (the addresses of a real SMTP server and its command are not given)');

/** The test kills outbound-send on the wire, before the call that stores the email (`noted`) or after it (`stored`). */
type Stage = (typeof WIRE_STAGES)[number] | 'noted' | 'stored';
const STAGES: readonly Stage[] = IS_FULL
  ? [...WIRE_STAGES, 'noted', 'stored']
  : ['rcpt', 'data', 'whole', 'taken', 'noted'];
const REPETITIONS = IS_FULL ? 10 : 1;
/** Behaviours of the server. The domain of the recipient selects one. */
const WAYS = ['plain', 'slow', 'deferred', 'refused', 'lost', 'swallowed'] as const;
type Way = (typeof WAYS)[number];
const MAILBOXES = 3;
const TOKEN = randomBytes(16).toString('hex');
const TIMES = { SEND_LEASE: '2s' };
const KEY_WAITS_MS = 60_000;

interface Letter {
  way: Way;
  recipient: string;
  mailboxId: string;
}

/** The final state of a send, as its caller sees it. */
type Outcome = 'sent' | 'not sent' | 'not known';

interface Told extends Letter {
  stage: Stage;
  isHit: boolean;
  outcome: Outcome;
  delivered: number;
  talks: Conversation[];
}

const context = createServiceContext({ name: 'test', logLevel: 'silent' });
const settings = (variables: Record<string, string>) => ({ MAILBOX_ACCESS_TOKEN: TOKEN, ...TIMES, ...variables });

(isGiven ? describe : describe.skip)('outbound-send is killed in the middle of sends by a real SMTP server', () => {
  let server: MailServer;
  let wire: SmtpWire;
  let stack: TestStack;
  let home: TestWorkspace;
  let client: ApiClient;
  let outbound: ServiceProcess;
  let gateway: ServiceProcess;
  let mailboxIds: string[];
  let ports: { outbound: number; gateway: number; proxy: number };
  /** Called at each stage that any send reaches. A new connection has no recipient yet. */
  let reached: (stage: Stage, recipient: string | undefined) => Promise<void> = async () => undefined;

  beforeAll(async () => {
    server = mailServer(SMTP_ADDR ?? '', MAIL_CONTROL ?? '', RELAY_SMTP_ADDR);
    await server.control('fault', 'clear');
    await server.control('caught', 'clear');
    await disturb();
    wire = await openSmtpWire(server.relayAddress);
    wire.at = (stage, { recipients }) => reached(stage, recipients[0]);
    stack = await startStack({ variables: settings({}) });
    home = await stack.workspace();
    mailboxIds = [];
    while (mailboxIds.length < MAILBOXES) mailboxIds.push(await connected(await server.user()));
    const isStoring = (rpc: string) => rpc === 'storeOutgoing';
    const steps = {
      beforeCall: async (rpc: string) => (isStoring(rpc) ? reached('noted', undefined) : undefined),
      atYes: async (rpc: string) => (isStoring(rpc) ? reached('stored', undefined) : undefined),
    };
    const proxy = proxyTo(MailboxWriteServiceDefinition, stack.addresses.MAILBOX_WRITE_ADDR, steps, context);
    const { port } = await serve({ address: '127.0.0.1:0', services: [proxy], context });
    ports = { outbound: await freePort(0), gateway: await freePort(0), proxy: port };
    [outbound, gateway] = await Promise.all([startOutbound(), startGateway()]);
    client = apiClient(`http://127.0.0.1:${ports.gateway}/api/v1`, home.keys.send);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([outbound?.kill(), gateway?.kill()]);
    await context.lifecycle.close();
    await stack?.close();
    await wire?.close();
    await server?.control('fault', 'clear');
  });

  const disturb = async () => {
    await server.control('fault', 'set', 'rcpt', '*@deferred.test', '451 4.3.0 Try later');
    await server.control('fault', 'set', 'rcpt', '*@refused.test', '550 5.1.1 No such user');
    await server.control('fault', 'set', 'smtp', 'dot', 'lose', '--match', 'lost');
    await server.control('fault', 'set', 'smtp', 'dot', 'cut', '--match', 'swallowed');
    await server.control('fault', 'set', 'smtp', 'dot', 'hold', '3', '--match', 'slow');
  };
  const connected = async (user: string) => {
    const access = { imapAddress: '127.0.0.1:1', smtpAddress: wire.address, user, password: PASSWORD, ca: undefined };
    const mailbox = { workspaceId: home.id, email: user, name: 'Ann', aliases: [], withoutTrash: false };
    return (await stack.workspaces.connectMailbox({ ...mailbox, server: access }, {})).id;
  };
  const startOutbound = () =>
    startServiceProcess('outbound-send', {
      ...settings(stack.addresses),
      MONGODB_URI: stack.mongodbUri,
      GRPC_PORT: String(ports.outbound),
      MAILBOX_WRITE_ADDR: `127.0.0.1:${ports.proxy}`,
    });
  const startGateway = () =>
    startServiceProcess('gateway', {
      ...stack.addresses,
      MONGODB_URI: stack.mongodbUri,
      HTTP_PORT: String(ports.gateway),
      OUTBOUND_SEND_ADDR: `127.0.0.1:${ports.outbound}`,
    });

  const post = ({ mailboxId, recipient }: Letter) =>
    client.post(
      '/drafts/send',
      { mailboxId, to: [{ email: recipient }], subject: recipient, body: { text: 'x' } },
      { headers: { 'idempotency-key': recipient } },
    );
  const ask = async (letter: Letter): Promise<Outcome> => {
    const { status, body } = await post(letter);
    if (status === 200) return 'sent';
    expect([408, 409, 500]).toContain(status);
    return status === 500 && body.error.startsWith('Nothing was sent') ? 'not sent' : 'not known';
  };
  /** While a send is `unknown`, operators see it in this state and its caller gets 409. */
  const isUnknown = async ({ recipient }: Letter) =>
    (await stack.collections.sends.countDocuments({ workspaceId: home.id, to: recipient, state: 'unknown' })) === 1;
  const outcomeOf = async (letter: Letter, first: Outcome): Promise<Outcome> => {
    let outcome = first;
    for (const until = Date.now() + KEY_WAITS_MS; outcome === 'not known' && Date.now() < until;) {
      if (await isUnknown(letter)) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
      outcome = await ask(letter);
    }
    if (outcome === 'not known') {
      expect([letter.recipient, await isUnknown(letter)]).toEqual([letter.recipient, true]);
      expect((await post(letter)).status).toBe(409);
    }
    return outcome;
  };

  let made = 0;
  const letter = (way: Way): Letter => {
    made += 1;
    return { way, recipient: `${made}@${way}.test`, mailboxId: mailboxIds[made % MAILBOXES] ?? '' };
  };
  /** Several letters at once, the first of which that comes to the stage undisturbed takes the process with it. */
  const killAt = async (stage: Stage, letters: Letter[]) => {
    const before = wire.conversations.length;
    let hit: { recipient: string | undefined; open: number } | undefined;
    let died: Promise<void> | undefined;
    reached = async (now, recipient) => {
      const isUndisturbed = recipient === undefined || recipient.endsWith('@plain.test');
      if (now !== stage || hit || !isUndisturbed) return;
      const talks = wire.conversations.filter(({ isOpen }) => isOpen);
      for (const talk of talks) talk.isCut = true;
      hit = { recipient, open: talks.length };
      died = outbound.kill();
      await died;
    };
    const first = await Promise.all(letters.map(ask));
    // It died in the middle of a send, or this shows nothing; a caller who was answered late has not stopped his.
    await eventually(async () => expect([stage, hit !== undefined]).toEqual([stage, true]), KEY_WAITS_MS, 100);
    await died;
    outbound = await startOutbound();
    return { first, recipient: hit?.recipient, open: hit?.open ?? 0, before };
  };

  it('loses no message and doubles none; what nobody can know stays so, is told and is not sent again', async () => {
    const all: Told[] = [];
    const logged = (await server.control('log', 'relay')).length;
    let open = 0;
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      for (const [n, stage] of STAGES.entries()) {
        const disturbed = WAYS.slice(1).filter((_, way) => IS_FULL || (way + n) % 5 < 3);
        const letters = [letter('plain'), ...disturbed.map(letter)];
        const hit = await killAt(stage, letters);
        open += hit.open;
        const outcomes = await Promise.all(letters.map((one, at) => outcomeOf(one, hit.first[at] ?? 'not known')));
        const caught = (await server.control('caught', 'list')).split('\n').filter(Boolean);
        const arrived = caught.flatMap((line) => (JSON.parse(line) as { to: string[] }).to);
        all.push(
          ...letters.map((one, at) => ({
            ...one,
            stage,
            isHit: one.recipient === hit.recipient,
            outcome: outcomes[at] ?? 'not known',
            delivered: arrived.filter((to) => to === one.recipient).length,
            talks: wire.conversations.filter(({ recipients }) => recipients.includes(one.recipient)),
          })),
        );
      }
    }
    for (const told of all) check(told);
    // Each slow one before may have been on the wire when its process was killed.
    const last = letter('slow');
    expect(await outcomeOf(last, await ask(last))).toBe('sent');
    await checkFaults(all, (await server.control('log', 'relay')).slice(logged));
    const kills = REPETITIONS * STAGES.length;
    // Connections that were open when the process died, on average at least the one it was killed for.
    expect(open).toBeGreaterThanOrEqual(STAGES.filter((stage) => stage !== 'noted' && stage !== 'stored').length);
    const count = (outcome: Outcome) => all.filter((one) => one.outcome === outcome).length;
    const figures = `sends=${all.length} kills=${kills} cut=${open} sent=${count('sent')} refused=${count('not sent')}`;
    process.stdout.write(`P01 real server PASS ${figures} unknown=${count('not known')} lost=0 dup=0\n`);
  });

  /** By what the wire carried and the server delivered. */
  function check({ way, stage, isHit, outcome, delivered, talks, recipient }: Told): void {
    const where = [recipient, stage, isHit ? 'hit' : ''];
    const yes = talks.filter(({ verdict }) => verdict?.startsWith('250')).length;
    const unanswered = talks.filter(({ isWhole, verdict }) => isWhole && verdict === undefined).length;
    if (outcome === 'sent') expect([...where, yes, delivered]).toEqual([...where, 1, 1]);
    if (outcome === 'not sent') expect([...where, yes, unanswered, delivered]).toEqual([...where, 0, 0, 0]);
    if (outcome === 'not known') expect([...where, delivered <= 1]).toEqual([...where, true]);
    // A message whose end was sent without an answer is never sent again.
    if (unanswered > 0) expect([...where, unanswered, outcome]).toEqual([...where, 1, 'not known']);
    const ends: Partial<Record<Way, [Outcome, number]>> = {
      deferred: ['not sent', 0],
      refused: ['not sent', 0],
      lost: ['not known', 0],
      swallowed: ['not known', 1],
    };
    // One that was on the wire, too, ends by how far it had come, whatever the server would have done with it.
    const isCut = talks.some((talk) => talk.isCut);
    const end = isHit ? HIT_ENDS[stage] : !isCut && ends[way];
    if (end) expect([...where, outcome, delivered]).toEqual([...where, ...end]);
  }

  /** None of the faults was there for nothing. */
  async function checkFaults(all: Told[], relayLog: string): Promise<void> {
    const isTold = (way: Way, code: string) =>
      all.some(
        (one) => one.way === way && one.talks.some(({ answers }) => answers.some((answer) => answer.startsWith(code))),
      );
    expect([isTold('deferred', '451'), isTold('refused', '550')]).toEqual([true, true]);
    for (const action of ['lose', 'cut', 'hold']) expect(relayLog).toMatch(new RegExp(`fault smtp dot ${action}`));
  }
});

/** End of the send during which the process was killed. At `body` it depends on how much of the message was sent. */
const HIT_ENDS: Partial<Record<Stage, [Outcome, number]>> = {
  rcpt: ['sent', 1],
  data: ['sent', 1],
  whole: ['not known', 0],
  taken: ['not known', 1],
};
