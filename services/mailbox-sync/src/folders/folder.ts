import type { StoredFolderType } from '@postroom/contract/lists';

/** A folder of a mailbox, as it is known here and at its provider. */
export interface Folder {
  id: string;
  path: string;
  name: string;
  type: StoredFolderType;
}

/** What is looked at first, and taken in first. */
const ORDER: readonly StoredFolderType[] = ['INBOX', 'SENT', 'DRAFTS', 'OTHER', 'TRASH', 'SPAM'];

export function inOrder<F extends Pick<Folder, 'type'>>(folders: readonly F[]): F[] {
  return folders.toSorted((one, other) => ORDER.indexOf(one.type) - ORDER.indexOf(other.type));
}
