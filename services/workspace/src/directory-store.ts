import type { Collections } from '@postroom/mail-store/collections';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { ApiKeyDocument, WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit } from '@postroom/mail-store/time-limit';
import type { Call } from '@postroom/rpc/call';

type Limit = Pick<Call, 'remainingMs'>;

/**
 * What has to be found before any workspace is known: the workspace of a key, of a recipient, of a mailbox named by
 * an operator. These are the only queries without a workspace, and their collections are small.
 */
export function createDirectoryStore({ workspaces, apiKeys, mailboxes }: Collections) {
  return {
    listWorkspaces: (limit: Limit): Promise<WorkspaceDocument[]> =>
      workspaces.find({}, null, timeLimit(limit)).sort({ createdAt: 1, _id: 1 }).lean(),

    findKeyByHash: (secretHash: string, limit: Limit): Promise<ApiKeyDocument | null> =>
      apiKeys.findOne({ secretHash }, null, timeLimit(limit)).lean(),

    findMailbox: (mailboxId: string, limit: Limit): Promise<MailboxDocument | null> =>
      mailboxes.findOne({ _id: mailboxId }, null, timeLimit(limit)).lean(),

    /** The connected mailboxes of the development mail server that an address reaches. */
    findRecipients: (recipientKey: string, limit: Limit): Promise<MailboxDocument[]> =>
      mailboxes
        .find({ recipientKeys: recipientKey, provider: 'development', status: 'active' }, null, timeLimit(limit))
        .lean(),
  };
}

export type DirectoryStore = ReturnType<typeof createDirectoryStore>;
