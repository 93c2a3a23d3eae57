import type { StoredFolderType } from '@postroom/contract/lists';
import type { ListedFolder } from '../imap/imap-connection.ts';
import { ImapFault } from '../imap/imap-fault.ts';
import { LABEL_SYNC } from '../folders/folder-sync-store.ts';
import { gmailFolders, isLabelFolder } from '../folders/gmail.ts';
import { type FolderState, newFolderState, type Session } from '../session/session.ts';
import { type Folder, inOrder } from '../folders/folder.ts';
import { type TypedFolder, typedFolders } from '../folders/folder-types.ts';
import { renamedFolders } from '../folders/renamed.ts';

/** Brings the folders of a mailbox to what its provider lists; ids stay with renamed ones. */
export async function adoptFolders(session: Session, listed: readonly ListedFolder[]): Promise<void> {
  const gmail = session.connection.has('X-GM-EXT-1') ? gmailFolders(listed) : null;
  const typed = gmail ?? typedFolders(listed);
  if (!typed.some(({ type }) => type === 'INBOX')) throw new ImapFault('failed', 'the provider lists no inbox');
  const known = [...session.folders.map(({ folder }) => folder), ...session.labelFolders];
  if (isSame(known, typed)) return;
  const folders = await recordFolders(session, typed, renamedFolders(knownOf(session.folders), listed));
  const before = new Map(session.folders.map((state) => [state.folder.id, state]));
  session.labelFolders = gmail ? folders.filter(isLabelFolder) : [];
  const states = folders
    .filter((folder) => !session.labelFolders.includes(folder))
    .map((folder) => {
      const state = before.get(folder.id);
      before.delete(folder.id);
      return state ? { ...state, folder, isDue: true } : newFolderState(folder, null);
    });
  session.folders = inOrderOfFolders(states);
  for (const { folder, sync } of before.values())
    if (sync) session.lost.push({ folderId: folder.id, uidValidity: sync.uidValidity, passes: 0 });
  await noteLabels(session);
}

/** Stores the folders of the provider, and returns them as stored. */
async function recordFolders(
  { lease, deps }: Session,
  typed: readonly TypedFolder[],
  renamed: ReadonlyMap<string, string>,
): Promise<Folder[]> {
  const { workspaceId, mailboxId, epoch } = lease;
  const items = typed.map((folder) => ({ ...folder, id: renamed.get(folder.path) }));
  const answer = await deps.access.recordSync(
    { workspaceId, mailboxId, epoch, folders: { items }, lastSyncedAt: undefined, failed: undefined },
    {},
  );
  const paths = new Set(typed.map(({ path }) => path));
  return answer.folders.flatMap(({ id, path, name, type }) =>
    id !== undefined && paths.has(path) ? [{ id, path, name, type: type as StoredFolderType }] : [],
  );
}

export function inOrderOfFolders(states: readonly FolderState[]): FolderState[] {
  return inOrder(states.map((state) => ({ state, type: state.folder.type }))).map(({ state }) => state);
}

function knownOf(states: readonly FolderState[]) {
  return states.flatMap(({ folder: { id, path }, sync }) =>
    sync ? [{ id, path, uidValidity: sync.uidValidity, uidNext: sync.uidNext }] : [],
  );
}

/** Folders that held mail keep their sync state until that mail is found at its new location. */
async function noteLabels({ labelFolders, lost, lease, deps }: Session): Promise<void> {
  for (const { id } of labelFolders)
    if (!lost.some(({ folderId }) => folderId === id))
      await deps.folderSyncs.save(lease.workspaceId, lease, id, LABEL_SYNC);
}

function isSame(known: readonly Folder[], typed: readonly TypedFolder[]): boolean {
  const types = new Map(known.map(({ path, type }) => [path, type]));
  return known.length === typed.length && typed.every(({ path, type }) => types.get(path) === type);
}
