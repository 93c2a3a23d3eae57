import { FOLDERS, type FolderPath } from '../peers/imap-folder.ts';
import { addressOf, storeSetting, WORKSPACES } from '../arriving/setting.ts';
import type { Database } from '../world/database.ts';

const TYPES: Readonly<Record<FolderPath, string>> = { INBOX: 'INBOX', Archive: 'OTHER', Trash: 'TRASH', Sent: 'SENT' };

export const folderIdOf = (mailboxId: string, path: FolderPath): string => `fld_${path}_of_${mailboxId}`;

/** The folders of a mailbox, under the ids that they have here. */
export const foldersOf = (mailboxId: string) =>
  FOLDERS.map((path) => ({
    id: folderIdOf(mailboxId, path),
    path,
    name: path,
    type: TYPES[path],
    delimiter: '/',
  }));

/** The mailboxes are at a provider, and their folders are known. */
export async function storeMailboxes(database: Database): Promise<void> {
  await storeSetting(database);
  for (const workspaceId of WORKSPACES) {
    const { mailboxId } = addressOf(workspaceId);
    const change = { $set: { provider: 'imap', folders: foldersOf(mailboxId) } };
    await database.run({ update: 'mailboxes', updates: [{ q: { _id: mailboxId }, u: change }] });
  }
}
