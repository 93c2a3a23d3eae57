import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { createRecentIds } from '@postroom/runtime/recent-ids';
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
  /** The stored emails that a listing misses. */
  missing?: number;
  /** The listed messages that are not stored. */
  unknown?: { first: number; last: number }[];
}

function connectionTo(server: Server) {
  return {
    has: () => server.hasQresync,
    open: async () => ({
      path: 'INBOX',
      exists: server.uids.length,
      uidNext: Math.max(0, ...server.uids) + 1,
      uidValidity: server.uidValidity,
      highestModseq: server.hasQresync ? 9n : null,
      vanished: server.hasQresync ? [] : null,
    }),
    uids: async () => [...server.uids],
    flags: async function* () {},
    facts: async function* (uids: readonly number[]) {
      for (const uid of uids) yield { uid, size: 10, labels: [], isRead: false, isStarred: false, internalDate: null };
    },
    sources: async function* (uids: readonly number[]) {
      for (const uid of uids) yield { uid, raw: Buffer.from('hello') };
    },
  };
}

/** One folder of a mailbox that is synchronized with a server. */
export function keptFolder(server: Server, { clock = manualClock() }: { clock?: ManualClock } = {}) {
  const listings: Changes[] = [];
  const forgotten: number[] = [];
  const writer = {
    apply: async (changes: Changes) => {
      if (changes.isCompleteListing) listings.push(changes);
      return { unknownUids: server.unknown ?? [], changed: 0, moved: 0, gone: 0, suspected: server.missing ?? 0 };
    },
    forgetLocations: async (_folderId: string, uidValidity: number) => void forgotten.push(uidValidity),
    ingest: async () => ({ outcomes: [] }),
  };
  const session = {
    connection: connectionTo(server),
    writer,
    labelFolders: [],
    open: null,
    pass: 1,
    searchUntil: 0,
    lateUntil: 0,
    connectedAt: clock.date(),
    lease: { workspaceId: 'wsp_1', mailboxId: 'mbx_1', epoch: 1 },
    deps: {
      folderSyncs: { save: async () => undefined },
      bytes: { enter: async () => ({ leave: () => undefined, isWanted: () => false }) },
      unanswered: createRecentIds(10),
      taken: { add: () => undefined },
      context: { clock, tracing: noTracing },
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
  return { listings, forgotten, keepUp, state, session };
}
