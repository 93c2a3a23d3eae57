import { fromRanges, toRanges } from '@postroom/mail-server/uid-ranges';
import type { OpenedFolder } from '../imap/imap-connection.ts';
import { ImapFault } from '../imap/imap-fault.ts';
import { cameBefore } from './came-before.ts';
import {
  type FolderState,
  isDoubtful,
  isOvertaken,
  isUncompared,
  saveSync,
  searchForMoved,
  type Session,
} from '../session/session.ts';
import { ingestMessages } from './ingest-messages.ts';
import { isCounted } from './change-counter.ts';

const DAY_MS = 86_400_000;

/**
 * Once a day in any case, once behind an earlier holder of the mailbox, and with every new connection if the provider does
 * not report vanished messages.
 */
export function isComparisonDue(session: Session, state: FolderState): boolean {
  if (isDoubtful(session, state) || isOvertaken(session, state)) return true;
  if (state.sync?.comparedAt === null) return isUncompared(state);
  return session.deps.context.clock.now() - (state.sync?.comparedAt?.getTime() ?? 0) > DAY_MS;
}

/** Holds everything in the folder against what is stored: what is missing there, and what is missing here. */
export async function compareFolder(
  session: Session,
  state: FolderState,
  opened: OpenedFolder,
  at: Date,
): Promise<void> {
  const { connection, writer, pass } = session;
  const { sync, folder } = state;
  if (!sync) return;
  const listing = opened.exists === 0 ? [] : await connection.uids('1:*');
  // A server in trouble lists nothing: that is no reason to lose everything.
  if (listing.length === 0 && opened.exists > 0)
    throw new ImapFault('failed', 'the provider lists nothing of a folder');
  const isKnown = (uid: number) => uid >= sync.lowestDone && uid < sync.uidNext;
  const { uidValidity } = sync;
  const answer = await writer.apply({
    folderId: folder.id,
    uidValidity,
    isCompleteListing: true,
    isTakenIn: sync.lowestDone <= 1,
    uids: toRanges(listing),
    at: at.toISOString(),
    pass,
  });
  const unknown = fromRanges(answer.unknownUids).filter((uid) => isKnown(uid) && !state.unstored.has(uid));
  // An earlier holder's late writes are no fault of the provider's count.
  const isOfProvider = state.doubtedIn === null && !isOvertaken(session, state);
  const isSurprise = (answer.gone > 0 || unknown.length > 0) && isCounted(state, opened) && isOfProvider;
  // Missing once: suspected. The next pass asks again, because the provider may have left it out by mistake. An email may
  // be stored that this session does not count, after a call whose answer was lost.
  const isShort = answer.suspected > 0 || sync.done > listing.filter(isKnown).length;
  if (isShort) state.doubtedIn = pass;
  else if (state.doubtedIn !== pass) state.doubtedIn = null;
  if (isShort || answer.gone > 0) searchForMoved(session);
  state.backlog = listing.filter((uid) => uid < sync.lowestDone);
  await saveSync(session, state, {
    done: listing.filter(isKnown).length,
    comparedAt: sync.lowestDone > 1 ? sync.comparedAt : at,
    surprises: sync.surprises + (isSurprise ? 1 : 0),
  });
  if (unknown.length > 0) await takeUnknown(session, state, unknown);
}

async function takeUnknown(session: Session, state: FolderState, uids: readonly number[]): Promise<void> {
  for (const uid of uids) state.unstored.add(uid);
  await ingestMessages(session, state, uids, {
    isHistory: cameBefore(session.connectedAt),
    onStored: async () => undefined,
  });
}
