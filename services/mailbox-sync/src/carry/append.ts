import { reopen } from '../looking/look.ts';
import type { FolderState, Session } from '../session/session.ts';
import type { Outcome } from './outcomes.ts';
import type { OwingEmail } from '../owed-store.ts';
import type { Append } from './plan.ts';

/** Many providers keep a copy of what they send by themselves: they are given the time to. */
const OWN_COPY_MS = 8_000;

/** Puts a copy of what was made here where the provider's other clients look for it, unless there is one already. */
export async function carryAppend(
  session: Session,
  { emailId, changeId, folderId, email }: Append,
): Promise<Outcome[]> {
  const { connection, deps, lease } = session;
  const state = session.folders.find(({ folder }) => folder.id === folderId);
  if (!state || waitsForOwnCopy(session, state, email) || !(await reopen(session, state))) return [];
  // An attempt before this one may have got through, and only its answer been lost.
  const found = await findCopy(session, email);
  if (found === undefined) {
    const raw = await deps.owed.copyOf(lease.workspaceId, changeId);
    if (!raw) return [{ emailId, changeId }];
    await connection.append(state.folder.path, raw, flagsOf(state, email), email.date);
  }
  const uid = found ?? (await findCopy(session, email));
  state.isDue = true;
  const { uidValidity = 0 } = state.sync ?? {};
  return [{ emailId, changeId, ...(uid !== undefined && { place: { folderId, uidValidity, uid } }) }];
}

async function findCopy({ connection }: Session, { messageId }: OwingEmail): Promise<number | undefined> {
  return (await connection.findByMessageId(messageId)).at(-1);
}

function waitsForOwnCopy(session: Session, { folder }: FolderState, { providerChangesSince }: OwingEmail): boolean {
  const until = (providerChangesSince?.getTime() ?? 0) + OWN_COPY_MS;
  if (folder.type !== 'SENT' || session.deps.context.clock.now() >= until) return false;
  session.nextCarryAt = Math.min(session.nextCarryAt, until);
  return true;
}

function flagsOf({ folder }: FolderState, { isStarred, isRead }: OwingEmail): string[] {
  return [
    ...(folder.type === 'DRAFTS' ? ['\\Draft'] : []),
    ...(isRead ? ['\\Seen'] : []),
    ...(isStarred ? ['\\Flagged'] : []),
  ];
}
