import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ImapFlow } from 'imapflow';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { mailServer } from './support/mail-server.ts';
import { startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';

// A real server on a busy machine takes its time.
jest.setTimeout(120_000);
const SOON = 40_000;
/** 705 emails on a machine that other suites use as well. */
const WHOLE_IMPORT = 80_000;

const env = process.env;
const SERVERS = [
  ['a server that knows every extension', env['IMAP_ADDR'], env['MAIL_CONTROL']],
  ['a server that knows none', env['POOR_IMAP_ADDR'], env['POOR_MAIL_CONTROL']],
] as const;
const message = (subject: string) => `Subject: ${subject}\r\nMessage-ID: <${subject}@mail.test>\r\n\r\nHello`;
const byUid = { uid: true } as const;

const given = SERVERS.filter(([, address, command]) => address && command);
for (const [name, address] of SERVERS)
  if (!address)
    skipAloud(`mail in over IMAP from ${name} (its address and the command that controls it are not given)`);

(given.length > 0 ? describe.each(given) : describe.skip.each(SERVERS))('mail in over IMAP from %s', (...of) => {
  const server = mailServer(of[1] ?? '', of[2] ?? '');
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let mailbox: SyncedMailbox;
  /** The user's other mail program. */
  let other: ImapFlow;

  beforeAll(async () => {
    stack = await startSyncedStack();
  });
  // Those who ask again and again use up what a workspace may ask in a minute.
  beforeEach(async () => {
    workspace = await stack.workspace();
  });
  afterAll(() => stack.close());
  /** With the folders of a mailbox, where the server has none of its own. */
  const newUser = async () => {
    const user = await server.user();
    other = await server.client(user);
    const there = (await other.list()).map(({ path }) => path);
    for (const path of ['Sent', 'Drafts', 'Archive', 'Junk', 'Trash'])
      if (!there.includes(path)) await other.mailboxCreate(path);
    return user;
  };
  /** Connected, with three emails in its inbox: one, two, three. */
  const connect = async () => {
    const user = await newUser();
    for (const subject of ['one', 'two', 'three']) await other.append('INBOX', message(subject));
    mailbox = await stack.connectUser(workspace, user, server.address);
    await eventually(async () => expect(Object.keys(await mailbox.shown())).toHaveLength(3), SOON);
  };
  afterEach(() => other?.close());
  const see = (check: (shown: Awaited<ReturnType<SyncedMailbox['shown']>>) => void) =>
    eventually(async () => check(await mailbox.shown()), SOON, 200);
  const uidOf = async (subject: string) => ((await other.search({ subject }, byUid)) as number[])[0] as number;

  it('old mail is taken in, folder by folder, and what comes is there at once', async () => {
    const user = await newUser();
    await server.control('message', 'load', user, 'INBOX', '700');
    await server.control('message', 'load', user, 'Archive', '5', '7');
    mailbox = await stack.connectUser(workspace, user, server.address);
    // A folder is in the state from its first pass on, so those that are there do not tell whether all are done.
    await eventually(async () => {
      const { folders } = await mailbox.state();
      expect(folders.filter(({ total }) => total > 0)).toEqual([
        { name: 'INBOX', type: 'INBOX', done: 700, total: 700, isComplete: true },
        { name: 'Archive', type: 'OTHER', done: 5, total: 5, isComplete: true },
      ]);
    }, WHOLE_IMPORT);
    expect(Object.keys(await mailbox.shown())).toHaveLength(705);
    await other.append('INBOX', message('new'));
    await see((shown) => expect(shown['new']).toMatchObject({ folder: 'INBOX', isRead: false }));
    await other.mailboxOpen('INBOX');
    // Nothing that nobody asked for has changed there: what was unread is unread.
    expect(await other.search({ subject: 'new', seen: false }, byUid)).toHaveLength(1);
  });

  it('flags that another program sets are set here', async () => {
    await connect();
    await other.mailboxOpen('INBOX');
    await other.messageFlagsAdd(await uidOf('one'), ['\\Seen', '\\Flagged'], byUid);
    await see(({ one, two }) => expect([one?.isRead, one?.isStarred, two?.isRead]).toEqual([true, true, false]));
    await other.messageFlagsRemove(await uidOf('one'), ['\\Seen'], byUid);
    await see(({ one }) => expect([one?.isRead, one?.isStarred]).toEqual([false, true]));
  });

  it('an email that another program moves is moved here, and keeps its id; one that it removes is removed here', async () => {
    await connect();
    const { one } = await mailbox.shown();
    await other.mailboxOpen('INBOX');
    await other.messageMove(await uidOf('one'), 'Archive', byUid);
    await other.messageDelete(await uidOf('two'), byUid);
    await see((shown) => expect(shown['one']).toEqual({ ...one, folder: 'Archive' }));
    await see((shown) => expect(Object.keys(shown).toSorted()).toEqual(['one', 'three']));
  });

  it('emails that are marked and trashed here are so there, and no others', async () => {
    await connect();
    const { one, two } = await mailbox.shown();
    await workspace.write.patch(`/emails/${one?.id}`, { isRead: true, isStarred: true });
    await workspace.write.delete(`/emails/${two?.id}`);
    await eventually(async () => {
      await other.mailboxOpen('Trash');
      expect(await other.search({ subject: 'two' }, byUid)).toHaveLength(1);
      await other.mailboxOpen('INBOX');
      expect(await other.search({ seen: true, flagged: true }, byUid)).toEqual([await uidOf('one')]);
      expect(await other.search({ undeleted: true, all: true } as never, byUid)).toHaveLength(2);
    }, SOON);
    await see((shown) => expect(shown['two']).toEqual({ ...two, folder: 'Trash' }));
    await workspace.write.patch(`/emails/${one?.id}`, { isStarred: false });
    await eventually(async () => {
      await other.mailboxOpen('INBOX');
      expect(await other.search({ flagged: true }, byUid)).toEqual([]);
    }, SOON);
  });

  it('folders come, are renamed and go with what is in them', async () => {
    await connect();
    await other.mailboxCreate('Plans');
    await other.append('Plans', message('plan'));
    await see(({ plan }) => expect(plan?.folder).toBe('Plans'));
    const { plan } = await mailbox.shown();
    await other.mailboxRename('Plans', 'Ideas');
    await see((shown) => expect(shown['plan']).toEqual({ ...plan, folder: 'Ideas' }));
    await other.mailboxDelete('Ideas');
    await see((shown) => expect(Object.keys(shown).toSorted()).toEqual(['one', 'three', 'two']));
  });

  it.each([['bump'], ['bump', '--renumber']])(
    'UIDs that begin anew (%s %s) double nothing, lose nothing, and ids stay',
    async (...how) => {
      await connect();
      await other.mailboxOpen('INBOX');
      await other.messageMove('1:*', 'Archive', byUid);
      await see((shown) =>
        expect(Object.values(shown).map(({ folder }) => folder)).toEqual(['Archive', 'Archive', 'Archive']),
      );
      const before = await mailbox.shown();
      const [act, ...rest] = how;
      await server.control('uidvalidity', act ?? '', mailbox.user, 'Archive', ...rest);
      await other.append('Archive', message('after'));
      await see((shown) => expect(shown).toMatchObject({ ...before, after: { folder: 'Archive' } }));
      await mailbox.syncNow();
      await see((shown) => expect(Object.keys(shown)).toHaveLength(4));
      await workspace.write.patch(`/emails/${before['one']?.id}`, { isStarred: true });
      await eventually(async () => {
        await other.mailboxOpen('Archive');
        expect(await other.search({ flagged: true }, byUid)).toEqual([await uidOf('one')]);
      }, SOON);
    },
  );
});
