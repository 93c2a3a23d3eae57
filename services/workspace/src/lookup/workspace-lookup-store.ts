import type { Writes } from '@postroom/mail-store/access';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { ApiKeyDocument, WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

/**
 * Finds the workspace of a key, of a recipient, or of a mailbox that an operator names. These are the only queries
 * without a workspace, and their collections are small.
 */
export function createWorkspaceLookupStore({
  workspaces,
  apiKeys,
  mailboxes,
}: Writes<'workspaces' | 'apiKeys' | 'mailboxes'>) {
  return {
    listWorkspaces: (budget: TimeBudget): Promise<WorkspaceDocument[]> =>
      workspaces.find({}, null, timeLimit(budget)).sort({ createdAt: 1, _id: 1 }).lean(),

    findKeyByHash: (secretHash: string, budget: TimeBudget): Promise<ApiKeyDocument | null> =>
      apiKeys.findOne({ secretHash }, null, timeLimit(budget)).lean(),

    findMailbox: (mailboxId: string, budget: TimeBudget): Promise<MailboxDocument | null> =>
      mailboxes.findOne({ _id: mailboxId }, null, timeLimit(budget)).lean(),

    /** The connected mailboxes of the development mail server that an address reaches. */
    findRecipients: (recipientKey: string, budget: TimeBudget): Promise<MailboxDocument[]> =>
      mailboxes
        .find({ recipientKeys: recipientKey, provider: 'development', status: 'active' }, null, timeLimit(budget))
        .lean(),
  };
}

export type WorkspaceLookupStore = ReturnType<typeof createWorkspaceLookupStore>;
