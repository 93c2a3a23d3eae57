import { ImapFault } from '../imap/imap-fault.ts';
import { reopen } from '../scanning/scan.ts';
import { expectCount } from '../scanning/change-counter.ts';
import type { FolderState, Session } from '../session/session.ts';
import { appendCopy } from './append-copy.ts';
import { type WriteResult, reportResults } from './report-results.ts';
import { type MailboxCommand, planCommands } from './plan-commands.ts';

const AT_ONCE = 1_000;

/** Writes pending changes to the provider, and removes each one once it is done. */
export async function writePending(session: Session): Promise<void> {
  const { lease, deps } = session;
  const pending = await deps.pending.find(lease.workspaceId, lease.mailboxId, AT_ONCE);
  if (pending.length === 0) return;
  const { commands, appends } = planCommands(pending);
  for (const command of commands) await attempt(session, command.messages, () => runCommand(session, command));
  for (const append of appends) await attempt(session, [append], () => appendCopy(session, append));
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
  work: () => Promise<WriteResult[]>,
): Promise<void> {
  const { clock, log } = session.deps.context;
  if (isTooSoon(session, pending)) return;
  try {
    await reportResults(session, await work(), clock.date());
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
    await reportResults(
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
  session.nextWriteAt = Math.min(session.nextWriteAt, notBefore);
  return true;
}

async function runCommand(session: Session, command: MailboxCommand): Promise<WriteResult[]> {
  const { connection, folders } = session;
  const state = folders.find(({ folder }) => folder.id === command.folderId);
  if (!state) return [];
  // Under another UIDVALIDITY these UIDs are other messages: the emails are found again first.
  if (!(await reopen(session, state)) || state.sync?.uidValidity !== command.uidValidity) return [];
  const uids = command.messages.map(({ uid }) => uid);
  if (command.kind === 'flag') {
    await expectCount(session, state, { uids, ...command });
    await connection.setFlag(uids, command.flag, command.isSet);
    state.isDue ||= state.counting.asked !== null;
    return command.messages;
  }
  if (command.kind === 'remove') {
    await remove(session, state, uids);
    state.isDue = true;
    return command.messages;
  }
  return moveMessages(session, state, command, uids);
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

async function moveMessages(
  session: Session,
  from: FolderState,
  { messages, to }: MailboxCommand & { kind: 'move' },
  uids: number[],
) {
  const target = session.folders.find(({ folder }) => folder.id === to);
  if (!target) return [];
  const assigned = await session.connection.move(uids, target.folder.path);
  from.isDue = target.isDue = true;
  return messages.map((message): WriteResult => {
    const location = assigned.get(message.uid);
    return { ...message, ...(location && { location: { ...location, folderId: to } }) };
  });
}
