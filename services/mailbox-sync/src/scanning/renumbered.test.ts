import { describe, expect, it } from '@jest/globals';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { systemClock } from '@postroom/runtime/clock';
import { noTracing } from '@postroom/runtime/tracing';
import type { Changes } from '../session/mail-writer.ts';
import { type FolderState, isUncompared, newFolderState, type Session } from '../session/session.ts';
import { takeBacklog } from './backlog.ts';
import { scanFolders } from './scan.ts';

interface Server {
  uidValidity: number;
  uids: number[];
  /** Whether it reports vanished messages. */
  hasQresync: boolean;
}

/** One folder of a mailbox that is synchronized with a server. */
function kept(server: Server) {
  const listings: Changes[] = [];
  const forgotten: number[] = [];
  const opened = () => ({
    path: 'INBOX',
    exists: server.uids.length,
    uidNext: Math.max(0, ...server.uids) + 1,
    uidValidity: server.uidValidity,
    highestModseq: server.hasQresync ? 9n : null,
    vanished: server.hasQresync ? [] : null,
  });
  const facts = async function* (uids: readonly number[]) {
    for (const uid of uids) yield { uid, size: 10, labels: [], isRead: false, isStarred: false, internalDate: null };
  };
  const connection = {
    has: () => server.hasQresync,
    open: async () => opened(),
    uids: async () => [...server.uids],
    flags: async function* () {},
    facts,
    sources: async function* (uids: readonly number[]) {
      for (const uid of uids) yield { uid, raw: Buffer.from('hello') };
    },
  };
  const writer = {
    apply: async (changes: Changes) => {
      if (changes.isCompleteListing) listings.push(changes);
      return { unknownUids: [], changed: 0, moved: 0, gone: 0, suspected: 0 };
    },
    forgetLocations: async (_folderId: string, uidValidity: number) => void forgotten.push(uidValidity),
    ingest: async () => ({ outcomes: [] }),
  };
  const session = {
    connection,
    writer,
    labelFolders: [],
    open: null,
    pass: 1,
    searchUntil: 0,
    connectedAt: new Date(),
    lease: { workspaceId: 'wsp_1', mailboxId: 'mbx_1', epoch: 1 },
    deps: {
      folderSyncs: { save: async () => undefined },
      bytes: { enter: async () => ({ leave: () => undefined, isWanted: () => false }) },
      unanswered: createRecentIds(10),
      taken: { add: () => undefined },
      context: { clock: systemClock, tracing: noTracing },
    },
  } as unknown as Session;
  const state: FolderState = newFolderState({ id: 'fld_1', path: 'INBOX', name: 'INBOX', type: 'INBOX' }, null);
  session.folders = [state];

  /** As a session does it until nothing is left to do. */
  const keepUp = async () => {
    do {
      if (state.isDue || isUncompared(state)) await scanFolders(session, [state]);
    } while (await takeBacklog(session));
    if (state.isDue || isUncompared(state)) await scanFolders(session, [state]);
    session.pass += 1;
  };
  return { listings, forgotten, keepUp, state };
}

describe.each([
  ['that tells what has gone', true],
  ['that does not', false],
])('a folder whose UIDs begin anew, at a server %s', (_, hasQresync) => {
  it.each([
    ['some of its mail', [1, 2, 3]],
    ['none of its mail', []],
  ])('is compared once, with all its mail taken in, where it has %s left', async (_left, uids) => {
    const server = { uidValidity: 1, uids: [1, 2, 3, 4, 5], hasQresync };
    const { listings, forgotten, keepUp, state } = kept(server);
    await keepUp();
    listings.length = 0;
    Object.assign(server, { uidValidity: 2, uids });
    state.isDue = true;
    await keepUp();
    expect(forgotten).toEqual([2]);
    expect(listings).toMatchObject([{ uidValidity: 2, isTakenIn: true }]);
    state.isDue = true;
    await keepUp();
    expect(listings).toHaveLength(1);
  });
});
