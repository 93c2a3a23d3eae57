import type { Collections } from '@postroom/mail-store/collections';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type Patience } from '@postroom/mail-store/time-limit';

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

    find: (workspaceId: string, mailboxId: string, patience: Patience): Promise<MailboxDocument | null> =>
      mailboxes.findOne({ _id: mailboxId, workspaceId }, null, timeLimit(patience)).lean(),

    list: (workspaceId: string, patience: Patience): Promise<MailboxDocument[]> =>
      mailboxes.find({ workspaceId }, null, timeLimit(patience)).sort({ createdAt: 1, _id: 1 }).lean(),

    setStatus: (workspaceId: string, mailboxId: string, status: MailboxDocument['status'], patience: Patience) =>
      mailboxes
        .findOneAndUpdate(
          { _id: mailboxId, workspaceId },
          { $set: { status } },
          { returnDocument: 'after', ...timeLimit(patience) },
        )
        .lean<MailboxDocument | null>(),
  };
}

export type MailboxStore = ReturnType<typeof createMailboxStore>;
