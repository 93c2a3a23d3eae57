import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ImapFlow } from 'imapflow';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { type ImapWire, openImapWire, type WirePoint } from './support/imap-wire.ts';
import { mailServer } from './support/mail-server.ts';
import { BRISK, startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';

jest.setTimeout(600_000);
const SOON = 60_000;
const REPETITIONS = process.env['POSTROOM_FULL'] ? 10 : 1;
const TOKEN = randomBytes(16).toString('hex');
const MESSAGES = 12;

const { IMAP_ADDR: address, MAIL_CONTROL: command } = process.env;
if (!address || !command) skipAloud('kill -9 of mailbox-sync (IMAP_ADDR and MAIL_CONTROL are not given)');

const points = (...commands: RegExp[]): WirePoint[] =>
  commands.flatMap((about) => [
    { command: about, when: 'asked' },
    { command: about, when: 'answered' },
  ]);
/** Of a first sync: its folders, a folder opened, its UIDs, what there is of each message, the messages themselves. */
const FIRST_SYNC = points(/ LIST /, / SELECT /, / UID SEARCH /, / UID FETCH .*RFC822.SIZE/, / UID FETCH .*BODY.PEEK/);
const CARRIED = points(/ UID STORE /, / UID MOVE /);
const named = (all: WirePoint[]) =>
  all.map((point) => [`${point.command.source.trim()} ${point.when}`, point] as const);

(address && command ? describe : describe.skip)('P1: kill -9 of mailbox-sync', () => {
  const server = mailServer(address ?? '', command ?? '');
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let wire: ImapWire;
  let victim: ServiceProcess | undefined;

  beforeAll(async () => {
    // The stack's own takes no mailboxes: those are the victim's.
    stack = await startSyncedStack({ MAX_MAILBOXES: '0', MAILBOX_ACCESS_TOKEN: TOKEN });
    wire = await openImapWire(server.address);
  });
  afterAll(async () => {
    await victim?.kill();
    await wire.close();
    await stack.close();
  });
  const start = async () => {
    victim = await startServiceProcess('mailbox-sync', {
      ...BRISK,
      MONGODB_URI: stack.mongodbUri,
      MAILBOX_WRITE_ADDR: stack.addresses.MAILBOX_WRITE_ADDR,
      WORKSPACE_OPERATOR_ADDR: stack.addresses.WORKSPACE_OPERATOR_ADDR,
      MAILBOX_ACCESS_TOKEN: TOKEN,
      MAILBOX_LEASE: '2s',
      GRPC_PORT: '0',
    });
  };
  /** The process dies at this point, and another one starts. */
  const killAt = (point: WirePoint) =>
    new Promise<void>((resolve, reject) => {
      wire.at(point, () => void victim?.kill().then(start).then(resolve, reject));
    });
  const subjectsOf = async (client: ImapFlow, path: string) => {
    await client.mailboxOpen(path);
    const found: string[] = [];
    if (client.mailbox && client.mailbox.exists > 0)
      for await (const { envelope, flags } of client.fetch('1:*', { envelope: true, flags: true }))
        found.push(
          `${envelope?.subject} ${[...(flags ?? [])]
            .filter((flag) => flag !== '\\Recent')
            .toSorted()
            .join()}`,
        );
    return found.toSorted();
  };
  const inStep = async (mailbox: SyncedMailbox) =>
    eventually(
      async () => {
        const { folders } = await mailbox.state();
        expect(folders.length > 0 && folders.every(({ isComplete }) => isComplete)).toBe(true);
        expect(Object.keys(await mailbox.shown())).toHaveLength(MESSAGES);
      },
      SOON,
      300,
    );
  const newUser = async () => {
    workspace = await stack.workspace();
    const user = await server.user();
    const client = await server.client(user);
    for (let n = 0; n < MESSAGES; n++)
      await client.append('INBOX', `Subject: mail ${n}\r\nMessage-ID: <${n}@${user}>\r\n\r\nHello`);
    return { user, client };
  };

  it.each(named(FIRST_SYNC))(
    'in a first sync at %s: nothing is lost, doubled or changed there',
    async (_name, point) => {
      for (let repetition = 0; repetition < REPETITIONS; repetition++) {
        const { user, client } = await newUser();
        const before = await subjectsOf(client, 'INBOX');
        if (!victim) await start();
        const killed = killAt(point);
        const mailbox = await stack.connectUser(workspace, user, wire.address);
        await killed;
        await inStep(mailbox);
        expect(Object.keys(await mailbox.shown()).filter((subject) => subject.includes('('))).toEqual([]);
        expect(await subjectsOf(client, 'INBOX')).toEqual(before);
        await stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, {});
        client.close();
      }
    },
  );

  it.each(named(CARRIED))(
    'over a change that it carries at %s: it is done once, and nothing else is',
    async (_name, point) => {
      for (let repetition = 0; repetition < REPETITIONS; repetition++) {
        const { user, client } = await newUser();
        if (!victim) await start();
        const mailbox = await stack.connectUser(workspace, user, wire.address);
        await inStep(mailbox);
        const shown = await mailbox.shown();
        const killed = killAt(point);
        await workspace.write.patch(`/emails/${shown['mail 1']?.id}`, { isRead: true });
        await workspace.write.delete(`/emails/${shown['mail 2']?.id}`);
        await killed;
        await eventually(
          async () => {
            expect((await subjectsOf(client, 'Trash')).map((line) => line.trim())).toEqual(['mail 2']);
            const inbox = await subjectsOf(client, 'INBOX');
            expect(inbox).toHaveLength(MESSAGES - 1);
            expect(inbox.filter((line) => line.includes('\\'))).toEqual(['mail 1 \\Seen']);
          },
          SOON,
          300,
        );
        await eventually(
          async () => {
            const pending = { workspaceId: workspace.id, providerChangesSince: { $gt: new Date(0) } };
            expect(await stack.collections.emails.countDocuments(pending)).toBe(0);
            const now = await mailbox.shown();
            expect(now['mail 2']).toMatchObject({ id: shown['mail 2']?.id, folder: 'Trash' });
            expect(Object.keys(now)).toHaveLength(MESSAGES);
          },
          SOON,
          300,
        );
        await stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, {});
        client.close();
      }
    },
  );
});
