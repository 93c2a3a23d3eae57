import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { skipAloud } from '../support/skips.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { type MailServer, mailServer, PASSWORD } from './support/mail-server.ts';

// A real server on a busy machine takes its time.
jest.setTimeout(120_000);

const { SMTP_ADDR, RELAY_SMTP_ADDR, MAIL_CONTROL } = process.env;
const isGiven = Boolean(SMTP_ADDR && RELAY_SMTP_ADDR && MAIL_CONTROL);
if (!isGiven)
  skipAloud('mail out by a real SMTP server (its addresses and the command that controls it are not given)');

/** A message that the server accepted: the only truth about what was sent. */
interface Accepted {
  to: string[];
  raw: string;
}

(isGiven ? describe : describe.skip)('mail out by a real SMTP server', () => {
  let server: MailServer;
  let stack: TestStack;
  let workspace: TestWorkspace;
  let mailboxId: string;
  beforeAll(async () => {
    server = mailServer(SMTP_ADDR ?? '', MAIL_CONTROL ?? '', RELAY_SMTP_ADDR);
    await server.control('fault', 'clear');
    await server.control('caught', 'clear');
    stack = await startStack();
    workspace = await stack.workspace();
    mailboxId = await connected(await server.user());
  });
  afterEach(async () => void (await server.control('fault', 'clear')));
  afterAll(() => stack?.close());

  const connected = async (user: string) => {
    const access = {
      imapAddress: '127.0.0.1:1',
      smtpAddress: server.relayAddress,
      user,
      password: PASSWORD,
      ca: undefined,
    };
    const request = {
      workspaceId: workspace.id,
      email: user,
      name: 'Ann',
      aliases: [],
      withoutTrash: false,
      server: access,
    };
    return (await stack.workspaces.connectMailbox(request, {})).id;
  };
  const send = (subject: string, extra: object = {}) =>
    workspace.send.post(
      '/drafts/send',
      { mailboxId, to: [{ email: 'bob@x.test' }], subject, body: { text: 'Hello' }, ...extra },
      { headers: { 'Idempotency-Key': subject } },
    );
  const all = async (): Promise<Accepted[]> =>
    (await server.control('caught', 'list'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Accepted)
      .map(({ to, raw }) => ({ to, raw: readFileSync(raw, 'utf8') }));
  const about = (subject: string) => {
    const line = new RegExp(`^Subject: ${subject}\\r?$`, 'm');
    return ({ raw }: Accepted) => line.test(raw);
  };
  const accepted = async (subject: string): Promise<Accepted[]> => (await all()).filter(about(subject));
  const wire = (...fault: string[]) => server.control('fault', 'set', 'smtp', ...fault);

  it('200, once, to every recipient, with no Bcc in it and its dots as they were', async () => {
    const text = `.\n..two\n${'long '.repeat(500)}\n\u65e5\u672c\u8a9e`;
    const people = { cc: [{ email: 'cy@x.test' }], bcc: [{ email: 'di@x.test' }] };
    expect((await send('Plain', { ...people, body: { text } })).status).toBe(200);
    const [one, ...more] = await accepted('Plain');
    expect(more).toEqual([]);
    expect(one?.to.toSorted()).toEqual(['bob@x.test', 'cy@x.test', 'di@x.test']);
    expect(one?.raw).not.toContain('di@x.test');
    expect((await simpleParser(one?.raw ?? '')).text?.trimEnd()).toBe(text);
  });

  const sure = [
    ['connect', 'cut'],
    ['ehlo', 'cut'],
    ['auth', 'cut'],
    ['mail', 'say', '451 4.3.0 later'],
    ['rcpt', 'cut'],
    ['rcpt', 'say', '550 5.1.1 gone'],
    ['data', 'cut'],
  ];
  it.each(sure.map((words) => [words.join(' '), words] as const))(
    '500, and surely not sent, for %s',
    async (_what, words) => {
      const subject = `Sure ${words.join(' ')}`;
      await wire(...words);
      const answer = await send(subject);
      expect([answer.status, answer.body.error]).toEqual([500, expect.stringMatching(/^Nothing was sent: /)]);
      expect(await accepted(subject)).toEqual([]);
      await server.control('fault', 'clear');
      expect((await send(subject)).status).toBe(200);
      expect(await accepted(subject)).toHaveLength(1);
    },
  );

  it('200 where the server is there again within the call', async () => {
    await wire('mail', 'say', '451 4.3.0 later', '--times', '1');
    expect((await send('Second attempt')).status).toBe(200);
    expect(await accepted('Second attempt')).toHaveLength(1);
  });

  it.each([
    ['cut', 1],
    ['lose', 0],
  ])(
    '408, and 409 under its key, when the answer to the whole message is %s: never sent again',
    async (fault, count) => {
      const subject = `Unknown ${fault}`;
      await wire('dot', fault);
      expect((await send(subject)).status).toBe(408);
      await server.control('fault', 'clear');
      expect((await send(subject)).status).toBe(409);
      expect(await accepted(subject)).toHaveLength(count);
    },
  );

  it('408 when the answer comes late, and 200 under the same key once it is there: one mail', async () => {
    await wire('dot', 'hold', '12');
    expect((await send('Late')).status).toBe(408);
    await server.control('fault', 'clear');
    await eventually(async () => expect((await send('Late')).status).toBe(200), 30_000);
    expect(await accepted('Late')).toHaveLength(1);
  });

  it('200 where some recipients are refused; who was put off gets it later, and nobody twice', async () => {
    await server.control('fault', 'set', 'rcpt', 'gone@x.test', '550 5.1.1 No such user');
    await server.control('fault', 'set', 'rcpt', 'full@x.test', '452 4.2.2 Mailbox full');
    const to = ['bob@x.test', 'gone@x.test', 'full@x.test'].map((email) => ({ email }));
    expect((await send('Partly', { to })).status).toBe(200);
    expect((await accepted('Partly')).map((one) => one.to)).toEqual([['bob@x.test']]);
    await server.control('fault', 'clear');
    const { sends } = stack.collections;
    await sends.updateOne({ workspaceId: workspace.id, kind: 'remainder' }, { $set: { nextAt: new Date() } });
    await eventually(async () => {
      expect((await accepted('Partly')).map((one) => one.to)).toEqual([['bob@x.test'], ['full@x.test']]);
    }, 30_000);
    await eventually(async () => {
      const asked = await sends.findOne({ workspaceId: workspace.id, kind: 'send', 'refused.0': { $exists: true } });
      expect(asked?.refused.map(({ address, isFinal }) => [address, isFinal])).toEqual([['gone@x.test', true]]);
    }, 30_000);
  });

  it('every 200 is one message and every 500 none, whatever the wire does to thirty sends at once', async () => {
    const faults = [
      ['rcpt', 'cut'],
      ['dot', 'cut'],
      ['data', 'cut'],
      ['dot', 'lose'],
      ['auth', 'cut'],
    ];
    const mailboxes: string[] = [];
    while (mailboxes.length < 6) mailboxes.push(await connected(await server.user()));
    for (const fault of faults) await wire(...fault, '--times', '2');
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const subject = `Storm ${n}.`;
        return { subject, status: (await send(subject, { mailboxId: mailboxes[n % 6] })).status };
      }),
    );
    const counts = { 200: 0, 408: 0, 500: 0 };
    const arrived = await all();
    for (const { subject, status } of answers) {
      counts[status as keyof typeof counts] += 1;
      const { length } = arrived.filter(about(subject));
      if (status === 200) expect([subject, length]).toEqual([subject, 1]);
      if (status === 500) expect([subject, length]).toEqual([subject, 0]);
      if (status === 408) expect(length).toBeLessThanOrEqual(1);
    }
    expect(counts[200] + counts[408] + counts[500]).toBe(30);
    expect(counts[408]).toBeGreaterThan(0);
    process.stdout.write(
      `P01 real server: sent=${counts[200]} refused=${counts[500]} unknown=${counts[408]} lost=0 dup=0\n`,
    );
  });
});
