import { cameBefore } from './came-before.ts';
import { readUnlessRefused, reopen } from './scan.ts';
import {
  type FolderState,
  hasBacklog,
  isAllRead,
  isUncompared,
  noteRead,
  saveSync,
  searchForMoved,
  type Session,
} from '../session/session.ts';
import { ingestMessages } from './ingest-messages.ts';

/** Few enough that new mail does not wait long behind them. */
const STEP = 500;

/** One step of taking in what was there at first: the newest of the first folder that has any. False when none can be tried. */
export async function takeBacklog(session: Session): Promise<boolean> {
  const now = session.deps.context.clock.now();
  const state = session.folders.find((one) => hasBacklog(one) && one.refused.notBefore <= now);
  if (!state) return false;
  await readUnlessRefused(session, state, () => takeStep(session, state));
  return true;
}

async function takeStep(session: Session, state: FolderState): Promise<void> {
  if (!state.sync || !(await reopen(session, state))) return;
  state.backlog ??= await session.connection.uids(`1:${state.sync.lowestDone - 1}`);
  const step = state.backlog.slice(-STEP).reverse();
  await ingestMessages(session, state, step, {
    isHistory: cameBefore(session.connectedAt),
    onStored: (uids) => noteStored(session, state, uids),
  });
  // Messages of the step that vanished meanwhile were skipped, and nobody waits for them.
  const lowestDone = step.at(-1) ?? 1;
  dropFrom(state, lowestDone);
  await saveSync(session, state, { lowestDone: state.backlog.length === 0 ? 1 : lowestDone });
  state.isDue ||= isUncompared(state);
  noteRead(state);
  // The end of a pass removes missed emails again.
  if (isAllRead(session)) searchForMoved(session);
}

async function noteStored(session: Session, state: FolderState, uids: readonly number[]): Promise<void> {
  const lowestDone = Math.min(...uids);
  dropFrom(state, lowestDone);
  await saveSync(session, state, { lowestDone, done: (state.sync?.done ?? 0) + uids.length });
}

/** The list is long, and its end is done first. */
function dropFrom({ backlog }: FolderState, lowestDone: number): void {
  while (backlog && (backlog.at(-1) ?? 0) >= lowestDone) backlog.pop();
}
