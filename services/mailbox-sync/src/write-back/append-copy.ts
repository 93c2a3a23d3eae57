import { OPERATION_HEADER } from '@postroom/mime/delivery-report';
import { shownIn } from '../folders/gmail.ts';
import type { Folder } from '../folders/folder.ts';
import { uidSetOf } from '../imap/uid-set.ts';
import { reopen } from '../scanning/scan.ts';
import type { FolderState, Session } from '../session/session.ts';
import type { WriteResult } from './report-results.ts';
import type { ChangedEmail } from '../pending/pending-change-store.ts';
import type { Append } from './plan-commands.ts';

/** Many providers keep a copy of what they send by themselves: they are given the time to. */
const OWN_COPY_MS = 8_000;

/** The folder that shows a copy, and the folder that holds it. */
interface Target {
  shown: Folder;
  state: FolderState;
}

/** Appends a copy of a local email at the provider for its other clients, unless there is one already. */
export async function appendCopy(
  session: Session,
  { emailId, changeId, folderId, email }: Append,
): Promise<WriteResult[]> {
  const { connection, deps, lease } = session;
  const target = targetOf(session, folderId);
  if (!target || waitsForOwnCopy(session, target, email) || !(await reopen(session, target.state))) return [];
  const { shown, state } = target;
  // An attempt before this one may have got through, and only its answer been lost.
  const found = await findCopy(session, target, email);
  if (found === undefined) {
    const raw = await deps.pending.copyOf(lease.workspaceId, changeId);
    if (!raw) return [{ emailId, changeId }];
    await connection.append(shown.path, raw, flagsOf(shown, email), email.date);
  }
  const uid = found ?? (await findCopy(session, target, email));
  state.isDue = true;
  const { uidValidity = 0 } = state.sync ?? {};
  return [
    { emailId, changeId, ...(uid !== undefined && { location: { folderId: state.folder.id, uidValidity, uid } }) },
  ];
}

function targetOf({ folders, labelFolders }: Session, folderId: string): Target | undefined {
  const label = labelFolders.find(({ id }) => id === folderId);
  const state = label ? folders[0] : folders.find(({ folder }) => folder.id === folderId);
  return state && { shown: label ?? state.folder, state };
}

async function findCopy(
  { connection, labelFolders }: Session,
  { shown, state: { folder } }: Target,
  email: ChangedEmail,
): Promise<number | undefined> {
  const uids = await copiesOf(connection, email);
  if (shown.id === folder.id || uids.length === 0) return uids.at(-1);
  // A sent draft may exist there as draft and as sent message.
  let found: number | undefined;
  for await (const { uid, labels } of connection.flags(uidSetOf(uids)))
    if (shownIn(labelFolders, folder, labels) === shown.id) found = uid;
  return found;
}

/** Some servers give what they send, and file, another Message-ID. */
async function copiesOf(connection: Session['connection'], { messageId, operation }: ChangedEmail): Promise<number[]> {
  const uids = await connection.findByHeader('message-id', messageId);
  return uids.length > 0 || operation === undefined ? uids : connection.findByHeader(OPERATION_HEADER, operation);
}

function waitsForOwnCopy(session: Session, { shown }: Target, { providerChangesSince }: ChangedEmail): boolean {
  const until = (providerChangesSince?.getTime() ?? 0) + OWN_COPY_MS;
  if (shown.type !== 'SENT' || session.deps.context.clock.now() >= until) return false;
  session.nextWriteAt = Math.min(session.nextWriteAt, until);
  return true;
}

function flagsOf({ type }: Folder, { isStarred, isRead }: ChangedEmail): string[] {
  return [
    ...(type === 'DRAFTS' ? ['\\Draft'] : []),
    ...(isRead ? ['\\Seen'] : []),
    ...(isStarred ? ['\\Flagged'] : []),
  ];
}
