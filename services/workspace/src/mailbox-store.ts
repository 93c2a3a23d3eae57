import type { Collections } from '@postroom/mail-store/collections';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit } from '@postroom/mail-store/time-limit';
import type { Call } from '@postroom/rpc/call';

type Limit = Pick<Call, 'remainingMs'>;

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

    find: (workspaceId: string, mailboxId: string, limit: Limit): Promise<MailboxDocument | null> =>
      mailboxes.findOne({ _id: mailboxId, workspaceId }, null, timeLimit(limit)).lean(),

    list: (workspaceId: string, limit: Limit): Promise<MailboxDocument[]> =>
      mailboxes.find({ workspaceId }, null, timeLimit(limit)).sort({ createdAt: 1, _id: 1 }).lean(),

    setStatus: (workspaceId: string, mailboxId: string, status: MailboxDocument['status'], limit: Limit) =>
      mailboxes
        .findOneAndUpdate(
          { _id: mailboxId, workspaceId },
          { $set: { status } },
          { returnDocument: 'after', ...timeLimit(limit) },
        )
        .lean<MailboxDocument | null>(),
  };
}

export type MailboxStore = ReturnType<typeof createMailboxStore>;
