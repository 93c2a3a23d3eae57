import type { StoredFolderType } from '@postroom/contract/lists';
import type { FolderPart } from '@postroom/mail-store/documents/mailbox';

/** A folder as the provider has it; with an id where it was known under another path. */
export interface SyncedFolder {
  id?: string | undefined;
  path: string;
  name: string;
  type: StoredFolderType;
  delimiter: string;
}

/** Mail that is written here needs these, whether the provider has them or not. */
const KEPT_HERE: ReadonlySet<StoredFolderType> = new Set(['INBOX', 'SENT', 'DRAFTS']);

/**
 * The folders of a mailbox after its provider has listed all of them. A folder keeps its id over a new name and a new
 * type. A folder from before the first listing becomes the first listed folder of its type.
 */
export function mergeFolders(
  known: readonly FolderPart[],
  listed: readonly SyncedFolder[],
  newId: () => string,
): FolderPart[] {
  const free = new Set(known);
  const take = (isIt: (folder: FolderPart) => boolean): string | undefined => {
    const found = [...free].find(isIt);
    if (found) free.delete(found);
    return found?.id;
  };
  // Names first: a folder that has moved must not be taken for the one that has its path now.
  const hinted = listed.map(({ id }) => (id === undefined ? undefined : take((folder) => folder.id === id)));
  const byPath = listed.map(({ path }, at) => hinted[at] ?? take((folder) => folder.path === path));
  const merged = listed.map(({ path, name, type, delimiter }, at) => {
    const id = byPath[at] ?? take((folder) => !folder.path && type !== 'OTHER' && folder.type === type) ?? newId();
    return { id, name, type, path, delimiter };
  });
  const types = new Set(merged.map(({ type }) => type));
  const local = [...free].filter(({ path, type }) => !path && KEPT_HERE.has(type) && !types.has(type));
  return [...merged, ...local];
}
