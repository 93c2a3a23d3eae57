import type { StoredFolderType } from '@postroom/contract/lists';
import type { ListedFolder } from '../imap/imap-connection.ts';
import { isOpen } from '../imap/valid-folders.ts';
import type { TypedFolder } from './folder-types.ts';
import { type Folder, isInbox } from './folder.ts';

/** The attributes of its folders. Any other mailbox is a label of the user. */
const TYPES: readonly (readonly [attribute: string, StoredFolderType])[] = [
  ['\\All', 'OTHER'],
  ['\\Sent', 'SENT'],
  ['\\Drafts', 'DRAFTS'],
  ['\\Junk', 'SPAM'],
  ['\\Trash', 'TRASH'],
];

/** The folders that show a message of All Mail, the strongest first: a sent message stays in Sent when its thread is in the inbox. */
const SHOWING: readonly (readonly [label: string, StoredFolderType])[] = [
  ['\\Draft', 'DRAFTS'],
  ['\\Drafts', 'DRAFTS'],
  ['\\Sent', 'SENT'],
  ['\\Inbox', 'INBOX'],
];

/** It holds no message. Labels show messages of All Mail in it. */
export const isLabelFolder = ({ type }: Pick<Folder, 'type'>): boolean =>
  SHOWING.some(([, shownType]) => shownType === type);

/**
 * Gmail keeps each message once, among all mail or in Trash or Spam, and its other folders only show what is there by
 * labels. Null where all mail is hidden from mail programs: then its folders are like any others.
 */
export function gmailFolders(listed: readonly ListedFolder[]): TypedFolder[] | null {
  const folders = listed.filter(isOpen).flatMap((folder) => {
    const { path, name, delimiter, flags } = folder;
    const type = isInbox(folder) ? 'INBOX' : TYPES.find(([attribute]) => flags.has(attribute))?.[1];
    return type ? [{ path, name, delimiter, type }] : [];
  });
  return folders.some(({ type }) => type === 'OTHER') ? folders : null;
}

/** The folder that shows a message of this one; undefined when folders do not show messages of others. */
export function shownIn(
  labelFolders: readonly Folder[],
  { id, type }: Pick<Folder, 'id' | 'type'>,
  labels: readonly string[],
): string | undefined {
  if (labelFolders.length === 0) return undefined;
  const shown = type === 'OTHER' ? SHOWING.find(([label]) => labels.includes(label))?.[1] : undefined;
  return labelFolders.find((folder) => folder.type === shown)?.id ?? id;
}
