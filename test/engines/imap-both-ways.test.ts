import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ImapFlow } from 'imapflow';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { mailServer } from './support/mail-server.ts';
import { startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';

jest.setTimeout(300_000);
const SOON = 90_000;
const STEPS = process.env['POSTROOM_FULL'] ? 400 : 60;
const FOLDERS = ['INBOX', 'Archive', 'Trash'];
const byUid = { uid: true } as const;

const { IMAP_ADDR: address, MAIL_CONTROL: command } = process.env;
if (!address || !command) skipAloud('changes from both sides at random (IMAP_ADDR and MAIL_CONTROL are not given)');

interface State {
  folder: string;
  isRead: boolean;
  isStarred: boolean;
}

/** Small whole numbers, the same for the same seed. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

(address && command ? describe : describe.skip)('changes from both sides at random', () => {
  const server = mailServer(address ?? '', command ?? '');
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let client: ImapFlow | undefined;
  beforeAll(async () => {
    stack = await startSyncedStack();
  });
  // Each asks as much in a minute as a workspace may.
  beforeEach(async () => {
    workspace = await stack.workspace();
  });
  afterEach(() => client?.close());
  afterAll(() => stack.close());

  const there = async (client: ImapFlow): Promise<Record<string, State>> => {
    const all: Record<string, State> = {};
    for (const folder of FOLDERS) {
      const { exists } = await client.mailboxOpen(folder);
      if (exists === 0) continue;
      for await (const { envelope, flags = new Set() } of client.fetch('1:*', { envelope: true, flags: true })) {
        const subject = envelope?.subject ?? '';
        const name = subject in all ? `${subject} twice` : subject;
        all[name] = { folder, isRead: flags.has('\\Seen'), isStarred: flags.has('\\Flagged') };
      }
    }
    return all;
  };
  const here = async (mailbox: SyncedMailbox): Promise<Record<string, State>> =>
    Object.fromEntries(Object.entries(await mailbox.shown()).map(([name, { id: _id, ...state }]) => [name, state]));

  /** Another mail program does something to some message that it sees. */
  const actThere = async (client: ImapFlow, roll: (sides: number) => number, step: number) => {
    const folder = FOLDERS[roll(2)] ?? 'INBOX';
    const { exists } = await client.mailboxOpen(folder);
    const uids = exists === 0 ? [] : ((await client.search({ all: true }, byUid)) as number[]);
    const uid = uids[roll(uids.length || 1)];
    const act = roll(7);
    if (uid === undefined || act === 0)
      await client.append('INBOX', `Subject: new ${step}\r\nMessage-ID: <new-${step}-${folder}@both>\r\n\r\nHello`);
    else if (act <= 2) await client.messageFlagsAdd(uid, [act === 1 ? '\\Seen' : '\\Flagged'], byUid);
    else if (act <= 4) await client.messageFlagsRemove(uid, [act === 3 ? '\\Seen' : '\\Flagged'], byUid);
    else if (act === 5) await client.messageMove(uid, folder === 'INBOX' ? 'Archive' : 'INBOX', byUid);
    else await client.messageDelete(uid, byUid);
  };
  /** A caller of the API does something to some email; it may have gone meanwhile. */
  const actHere = async (mailbox: SyncedMailbox, roll: (sides: number) => number) => {
    const emails = Object.values(await mailbox.shown());
    const { id } = emails[roll(emails.length || 1)] ?? {};
    const act = roll(5);
    if (act === 4) await workspace.write.delete(`/emails/${id}`);
    else await workspace.write.patch(`/emails/${id}`, { [act < 2 ? 'isRead' : 'isStarred']: act % 2 === 0 });
  };

  it.each([1, 2])('end in the same on both (seed %d)', async (seed) => {
    const roll = dice(seed);
    const user = await server.user();
    const program = (client = await server.client(user));
    for (let n = 0; n < 15; n++)
      await program.append('INBOX', `Subject: mail ${n}\r\nMessage-ID: <${n}@both>\r\n\r\nHello`);
    const mailbox = await stack.connectUser(workspace, user, server.address);
    await eventually(async () => expect(Object.keys(await mailbox.shown())).toHaveLength(15), SOON, 300);
    for (let step = 0; step < STEPS; step++) await (roll(2) ? actThere(program, roll, step) : actHere(mailbox, roll));
    await eventually(async () => expect(await here(mailbox)).toEqual(await there(program)), SOON, 500);
    expect(Object.keys(await there(program)).filter((name) => name.endsWith('twice'))).toEqual([]);
  });
});
