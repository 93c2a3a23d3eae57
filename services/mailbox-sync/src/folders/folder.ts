import type { StoredFolderType } from '@postroom/contract/lists';
import type { ListedFolder } from '../imap/imap-connection.ts';

/** A folder of a mailbox, as it is known here and at its provider. */
export interface Folder {
  id: string;
  path: string;
  name: string;
  type: StoredFolderType;
}

export const isInbox = ({ path }: Pick<ListedFolder, 'path'>): boolean => path.toUpperCase() === 'INBOX';

/** The order in which folders are scanned and ingested. */
const ORDER: readonly StoredFolderType[] = ['INBOX', 'SENT', 'DRAFTS', 'OTHER', 'TRASH', 'SPAM'];

export function inOrder<F extends Pick<Folder, 'type'>>(folders: readonly F[]): F[] {
  return folders.toSorted((one, other) => ORDER.indexOf(one.type) - ORDER.indexOf(other.type));
}
