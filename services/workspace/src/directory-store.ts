import type { Collections } from '@postroom/mail-store/collections';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { ApiKeyDocument, WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit, type Patience } from '@postroom/mail-store/time-limit';

/**
 * What has to be found before any workspace is known: the workspace of a key, of a recipient, of a mailbox named by
 * an operator. These are the only queries without a workspace, and their collections are small.
 */
export function createDirectoryStore({ workspaces, apiKeys, mailboxes }: Collections) {
  return {
    listWorkspaces: (patience: Patience): Promise<WorkspaceDocument[]> =>
      workspaces.find({}, null, timeLimit(patience)).sort({ createdAt: 1, _id: 1 }).lean(),

    findKeyByHash: (secretHash: string, patience: Patience): Promise<ApiKeyDocument | null> =>
      apiKeys.findOne({ secretHash }, null, timeLimit(patience)).lean(),

    findMailbox: (mailboxId: string, patience: Patience): Promise<MailboxDocument | null> =>
      mailboxes.findOne({ _id: mailboxId }, null, timeLimit(patience)).lean(),

    /** The connected mailboxes of the development mail server that an address reaches. */
    findRecipients: (recipientKey: string, patience: Patience): Promise<MailboxDocument[]> =>
      mailboxes
        .find({ recipientKeys: recipientKey, provider: 'development', status: 'active' }, null, timeLimit(patience))
        .lean(),
  };
}

export type DirectoryStore = ReturnType<typeof createDirectoryStore>;
