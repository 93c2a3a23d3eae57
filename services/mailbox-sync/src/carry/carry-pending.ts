import { ImapFault } from '../imap/imap-fault.ts';
import { reopen } from '../scanning/scan.ts';
import { expectCount } from '../scanning/trust.ts';
import type { FolderState, Session } from '../session/session.ts';
import { carryAppend } from './append.ts';
import { type Outcome, reportOutcomes } from './outcomes.ts';
import { type Errand, planOf } from './plan.ts';

const AT_ONCE = 1_000;

/** Writes pending changes to the provider, and removes each one once it is done. */
export async function carryPending(session: Session): Promise<void> {
  const { lease, deps } = session;
  const pending = await deps.pending.find(lease.workspaceId, lease.mailboxId, AT_ONCE);
  if (pending.length === 0) return;
  const { errands, appends } = planOf(pending);
  for (const errand of errands) await attempt(session, errand.aims, () => carryErrand(session, errand));
  for (const append of appends) await attempt(session, [append], () => carryAppend(session, append));
}

interface PendingWork {
  emailId: string;
  changeId: string;
}

/** A change that the provider will not have is tried a few times, ever later, and then undone here. */
const ATTEMPTS = 5;
const FIRST_REST_MS = 1_000;

async function attempt(
  session: Session,
  pending: readonly PendingWork[],
  work: () => Promise<Outcome[]>,
): Promise<void> {
  const { clock, log } = session.deps.context;
  if (isTooSoon(session, pending)) return;
  try {
    await reportOutcomes(session, await work(), clock.date());
  } catch (error) {
    if (!(error instanceof ImapFault) || error.kind !== 'failed') throw error;
    log.warn({ err: error, mailboxId: session.lease.mailboxId }, 'the provider did not take over a change');
    session.open = null;
    const refused = pending.filter(({ changeId }) => {
      const count = (session.attempts.get(changeId)?.count ?? 0) + 1;
      session.attempts.set(changeId, { count, notBefore: clock.now() + FIRST_REST_MS * 2 ** (count - 1) });
      return count >= ATTEMPTS;
    });
    isTooSoon(session, pending);
    await reportOutcomes(
      session,
      refused.map((change) => ({ ...change, refused: error.message })),
      clock.date(),
    );
  }
}

/** The time at which it is written. */
function isTooSoon(session: Session, pending: readonly PendingWork[]): boolean {
  const times = pending.map(({ changeId }) => session.attempts.get(changeId)?.notBefore ?? 0);
  const notBefore = Math.max(0, ...times);
  if (notBefore <= session.deps.context.clock.now()) return false;
  session.nextCarryAt = Math.min(session.nextCarryAt, notBefore);
  return true;
}

async function carryErrand(session: Session, errand: Errand): Promise<Outcome[]> {
  const { connection, folders } = session;
  const state = folders.find(({ folder }) => folder.id === errand.folderId);
  if (!state) return [];
  // Under another UIDVALIDITY these UIDs are other messages: the emails are found again first.
  if (!(await reopen(session, state)) || state.sync?.uidValidity !== errand.uidValidity) return [];
  const uids = errand.aims.map(({ uid }) => uid);
  if (errand.kind === 'flag') {
    await expectCount(session, state, { uids, ...errand });
    await connection.setFlag(uids, errand.flag, errand.isSet);
    state.isDue ||= state.counting.asked !== null;
    return errand.aims;
  }
  if (errand.kind === 'remove') {
    await remove(session, state, uids);
    state.isDue = true;
    return errand.aims;
  }
  return carryMove(session, state, errand, uids);
}

/** Gmail removes for ever only what is in Trash: elsewhere a removal takes a label off, at most. */
async function remove(session: Session, from: FolderState, uids: number[]): Promise<void> {
  const { connection, folders, labelFolders } = session;
  const trash = folders.find(({ folder }) => folder.type === 'TRASH');
  if (labelFolders.length === 0 || from !== folders[0] || !trash) return connection.remove(uids);
  const assigned = await connection.move(uids, trash.folder.path);
  trash.isDue = true;
  if (assigned.size > 0 && (await reopen(session, trash)))
    await connection.remove([...assigned.values()].map(({ uid }) => uid));
}

async function carryMove(session: Session, from: FolderState, { aims, to }: Errand & { kind: 'move' }, uids: number[]) {
  const target = session.folders.find(({ folder }) => folder.id === to);
  if (!target) return [];
  const assigned = await session.connection.move(uids, target.folder.path);
  from.isDue = target.isDue = true;
  return aims.map((aim): Outcome => {
    const location = assigned.get(aim.uid);
    return { ...aim, ...(location && { location: { ...location, folderId: to } }) };
  });
}
