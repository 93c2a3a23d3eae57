import type { Flag, OpenedFolder } from '../imap/imap-connection.ts';
import { uidSetOf } from '../imap/uid-set.ts';
import { type FolderState, saveSync, type Session } from '../session/session.ts';

/** After so many comparisons that found what its own count of changes had kept quiet, a folder is compared instead. */
const SURPRISES = 2;

/** Whether the provider's own count of the folder's changes is to be believed. */
export function isCounted({ sync }: FolderState, { highestModseq }: Pick<OpenedFolder, 'highestModseq'>): boolean {
  return highestModseq !== null && sync !== null && sync.highestModseq !== '0' && sync.surprises < SURPRISES;
}

/** The change counter from which vanished messages are requested; undefined when they are not requested. */
export function sinceOf({ connection }: Session, { sync }: FolderState) {
  if (!sync || sync.highestModseq === '0' || sync.surprises >= SURPRISES || !connection.has('QRESYNC'))
    return undefined;
  return { modseq: BigInt(sync.highestModseq), uidValidity: sync.uidValidity };
}

/** Before a mark of ours that changes something: the count of the folder's changes has to grow by it. */
export async function expectCount(
  { connection }: Session,
  state: FolderState,
  { uids, flag, isSet }: { uids: readonly number[]; flag: Flag; isSet: boolean },
): Promise<void> {
  const { sync, counting } = state;
  if (!sync || counting.isProven || sync.highestModseq === '0') return;
  for await (const { isRead, isStarred } of connection.flags(uidSetOf(uids)))
    if ((flag === '\\Seen' ? isRead : isStarred) !== isSet) counting.asked ??= sync.highestModseq;
}

/** A counter that does not move when we set a flag tells nothing about changes of others. */
export async function proveCount(session: Session, state: FolderState, { highestModseq }: OpenedFolder): Promise<void> {
  const { asked } = state.counting;
  if (asked === null) return;
  state.counting = { asked: null, isProven: true };
  if (highestModseq !== null && highestModseq <= BigInt(asked))
    await saveSync(session, state, { surprises: SURPRISES });
}
