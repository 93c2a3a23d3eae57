import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MailServer, openOutgoingMailServer } from '@postroom/local/development-mail-server';
import { freePort } from '@postroom/local/free-port';
import { createOutbox, type CaughtMail } from '@postroom/local/outbox';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { createTransport } from 'nodemailer';
import { eventually } from '../engines/eventually.ts';
import { type FakeModel, startFakeModel } from '../support/fake-model.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const HOST = '127.0.0.1';
const context = createServiceContext({ name: 'loops', logLevel: 'silent' });
let model: FakeModel;
let outbox: CaughtMail;
let server: MailServer;
let stack: TestStack;

// Outgoing mail goes over SMTP to a server that delivers it to the local mailboxes, so that loops can arise.
beforeAll(async () => {
  model = await startFakeModel(({ rules }) =>
    rules.map(({ rule_id }) => ({ rule_id, applies: true, confidence: 99, reason: 'always' })),
  );
  outbox = createOutbox();
  const port = await freePort(0);
  const variables = { DEVELOPMENT_SMTP_ADDR: `${HOST}:${port}`, LLM_BASE_URL: model.baseUrl };
  stack = await startStack({ variables });
  const workspaces = connect(WorkspaceServiceDefinition, stack.addresses.WORKSPACE_ADDR, { context });
  const mailboxWrite = connect(MailboxWriteServiceDefinition, stack.addresses.MAILBOX_WRITE_ADDR, { context });
  server = await openOutgoingMailServer({ host: HOST, port, workspaces, mailboxWrite, log: context.log }, outbox);
});
afterAll(async () => {
  await server.close();
  await stack.close();
  await context.lifecycle.close();
  await model.close();
});

async function inhabitant(name: string) {
  const workspace = await stack.workspace();
  const { id, email } = await workspace.connectMailbox({ email: `${name}@${name}.example` });
  return { workspace, mailboxId: id, email };
}
type Inhabitant = Awaited<ReturnType<typeof inhabitant>>;

const answersAll = ({ workspace }: Inhabitant) =>
  workspace.send.post('/ai-label-rules', {
    name: 'All',
    color: 'Pink',
    condition: 'always',
    autoDraftEnabled: true,
    autoReplyEnabled: true,
    autoReplyDelayMinutes: 0,
  });
const forwardsAll = ({ workspace }: Inhabitant, forwardTo: string, mode = 'normal') =>
  workspace.send.post('/auto-forward-rules', {
    conditionField: 'subject_contains',
    conditionValue: 'round',
    forwardTo,
    mode,
  });
/** So many came in there, all of it was looked at by its rules, and nothing is on its way to anybody. */
const becomesQuiet = (workspaces: TestWorkspace[], received: number) =>
  eventually(async () => {
    const ids = { $in: workspaces.map(({ id }) => id) };
    const { emails, sends } = stack.collections;
    const inbox = await emails.find({ workspaceId: ids, folderType: 'INBOX' }, { classifiedAt: 1 }).lean();
    expect([inbox.length, inbox.filter(({ classifiedAt }) => classifiedAt).length]).toEqual([received, received]);
    expect(await emails.countDocuments({ workspaceId: ids, owedSince: { $exists: true } })).toBe(0);
    expect(await sends.countDocuments({ workspaceId: ids, nextAt: { $ne: null } })).toBe(0);
  }, 90_000);
const logged = async ({ workspace }: Inhabitant): Promise<string[]> => {
  const lines = await stack.collections.autoForwardLogs.find({ workspaceId: workspace.id }).lean();
  return lines.map(({ status }) => status);
};
const sentBy = ({ email }: Inhabitant) => outbox.list().filter(({ from }) => from === email).length;
const arrives = (at: Inhabitant, from: string, subject: string) =>
  at.workspace.ingest(at.mailboxId, [{ from, to: at.email, subject }]);

describe('mail that could go round for ever', () => {
  it('two auto-repliers who write to each other each answer the person once, and never the other machine', async () => {
    const [ann, bob] = [await inhabitant('ann'), await inhabitant('bob')];
    for (const one of [ann, bob]) expect((await answersAll(one)).status).toBe(201);
    // Each hears from the other at the same moment, as people whose letters crossed.
    await Promise.all([arrives(ann, bob.email, 'from Bob'), arrives(bob, ann.email, 'from Ann')]);
    await eventually(() => expect([sentBy(ann), sentBy(bob)]).toEqual([1, 1]), 60_000);
    await becomesQuiet([ann.workspace, bob.workspace], 4);
    expect([sentBy(ann), sentBy(bob)]).toEqual([1, 1]);
  }, 180_000);

  it.each(['normal', 'invisible'])(
    'a ring of three that forward to each other ends within a lap: %s',
    async (mode) => {
      const ring = [await inhabitant(`a${mode}`), await inhabitant(`b${mode}`), await inhabitant(`c${mode}`)] as const;
      for (const [at, one] of ring.entries())
        expect((await forwardsAll(one, ring[(at + 1) % 3]?.email ?? '', mode)).status).toBe(201);
      await arrives(ring[0], 'zoe@far.example', 'round and round');
      await eventually(async () => expect(await logged(ring[1])).toEqual(['skipped']), 90_000);
      await becomesQuiet(
        ring.map(({ workspace }) => workspace),
        2,
      );
      expect(ring.map(sentBy)).toEqual([1, 0, 0]);
      expect(await logged(ring[0])).toEqual(['sent']);
    },
    240_000,
  );

  it('a forward to a list that its owner reads too comes back once, and is not forwarded again', async () => {
    const member = await inhabitant('member');
    expect((await forwardsAll(member, 'all@lists.example')).status).toBe(201);
    await arrives(member, 'zoe@far.example', 'round the list');
    const toList = () => outbox.list().filter(({ to }) => to.includes('all@lists.example'));
    await eventually(() => expect(toList()).toHaveLength(1), 60_000);
    // The list takes every mark of a machine off, puts its own on, writes itself as the sender, and sends to all.
    const taken = /^(Auto-Submitted|X-Postroom-Loop|Message-ID|From):.*\r\n/gim;
    const raw = String(toList()[0]?.raw).replace(taken, '');
    const list =
      'Message-ID: <1@lists.example>\r\nFrom: One of all <some@lists.example>\r\nList-Id: <all.lists.example>\r\n';
    const transport = createTransport({ host: HOST, port: server.port, ignoreTLS: true });
    const envelope = { from: 'all-bounces@lists.example', to: [member.email] };
    await transport.sendMail({ envelope, raw: list + raw });
    transport.close();
    await becomesQuiet([member.workspace], 2);
    await eventually(async () => expect((await logged(member)).toSorted()).toEqual(['sent', 'skipped']), 60_000);
    expect(toList()).toHaveLength(1);
  }, 180_000);
});
