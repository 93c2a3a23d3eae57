import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type Answerable = Pick<EmailDocument, '_id' | 'threadId' | 'date'>;

export type WaitingStore = ReturnType<typeof createWaitingStore>;

export function createWaitingStore({ emails }: Writes<'emails'>) {
  const within = (workspaceId: string, mailboxId: string) => ({ workspaceId, mailboxId });

  return {
    /** Sent mail in these threads that still waits for an answer. */
    findWaiting(workspaceId: string, mailboxId: string, threadIds: readonly string[]): Promise<Answerable[]> {
      return emails
        .find(
          { ...within(workspaceId, mailboxId), threadId: { $in: threadIds }, waitingForReply: true },
          { threadId: 1, date: 1 },
          QUERY_LIMIT,
        )
        .lean<Answerable[]>();
    },

    /** Mail in these threads that others sent. */
    findAnswers(
      workspaceId: string,
      mailboxId: string,
      threadIds: readonly string[],
      own: readonly string[],
    ): Promise<Answerable[]> {
      return emails
        .find(
          {
            ...within(workspaceId, mailboxId),
            threadId: { $in: threadIds },
            folderType: { $nin: ['SENT', 'DRAFTS'] },
            senderAddress: { $nin: own },
            isAutomatic: { $ne: true },
          },
          { threadId: 1, date: 1 },
          QUERY_LIMIT,
        )
        .lean<Answerable[]>();
    },

    async stopWaiting(workspaceId: string, emailIds: readonly string[]): Promise<void> {
      await emails.updateMany(
        { workspaceId, _id: { $in: emailIds } },
        { $set: { waitingForReply: false } },
        QUERY_LIMIT,
      );
    },
  };
}
