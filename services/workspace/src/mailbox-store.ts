import type { Collections } from '@postroom/mail-store/collections';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export function createMailboxStore({ mailboxes }: Collections) {
  return {
    /** Null when the workspace has a mailbox of this address already. */
    insert: async (
      workspaceId: string,
      fields: Omit<MailboxDocument, 'workspaceId'>,
    ): Promise<MailboxDocument | null> => {
      const mailbox = { workspaceId, ...fields };
      try {
        await mailboxes.create(mailbox);
        return mailbox;
      } catch (error) {
        if (isDuplicate(error, 'workspace_email')) return null;
        throw error;
      }
    },

    find: (workspaceId: string, mailboxId: string, budget: TimeBudget): Promise<MailboxDocument | null> =>
      mailboxes.findOne({ _id: mailboxId, workspaceId }, null, timeLimit(budget)).lean(),

    list: (workspaceId: string, budget: TimeBudget): Promise<MailboxDocument[]> =>
      mailboxes.find({ workspaceId }, null, timeLimit(budget)).sort({ createdAt: 1, _id: 1 }).lean(),

    setStatus: (workspaceId: string, mailboxId: string, status: MailboxDocument['status'], budget: TimeBudget) =>
      mailboxes
        .findOneAndUpdate(
          { _id: mailboxId, workspaceId },
          { $set: { status } },
          { returnDocument: 'after', ...timeLimit(budget) },
        )
        .lean<MailboxDocument | null>(),
  };
}

export type MailboxStore = ReturnType<typeof createMailboxStore>;
