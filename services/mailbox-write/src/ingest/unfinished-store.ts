import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import type { Brought } from '../threads/waiting.ts';

/** An email that was stored, and what is needed to finish with it. */
export type UnfinishedEmail = Brought &
  Pick<EmailDocument, 'workspaceId' | 'mailboxId' | 'threadKey' | 'messageKey' | 'messageId'>;
/** An email whose thread is complete, as far as it was seen in that thread. */
export type CompletedEmail = Pick<EmailDocument, '_id' | 'workspaceId' | 'threadKey' | 'messageKey'> & {
  threadId: string;
};
/** The position of a scan over all of them. */
export type After = Pick<EmailDocument, '_id' | 'receivedAt'>;

const FIELDS = {
  workspaceId: 1,
  mailboxId: 1,
  threadId: 1,
  threadKey: 1,
  messageKey: 1,
  messageId: 1,
  inReplyTo: 1,
  references: 1,
  date: 1,
  folderType: 1,
  senderAddress: 1,
  isAutomatic: 1,
  waitingForReply: 1,
  receivedAt: 1,
} as const;
const OLDEST_FIRST = { receivedAt: 1, _id: 1 } as const;

/** An email that another process has moved since, or calls by another name, keeps its mark, as does a draft saved anew. */
export function completing({ workspaceId, _id: emailId, threadId, threadKey, messageKey }: CompletedEmail) {
  const which = { workspaceId, _id: emailId, threadId, threadKey, messageKey };
  return { updateOne: { filter: which, update: { $set: { isUnsettled: false } } } };
}

export type UnfinishedStore = ReturnType<typeof createUnfinishedStore>;

/** Emails whose thread is not complete yet. */
export function createUnfinishedStore({ emails }: Writes<'emails'>) {
  return {
    findUnfinished(workspaceId: string, emailIds: readonly string[]): Promise<UnfinishedEmail[]> {
      return emails
        .find({ workspaceId, _id: { $in: emailIds }, isUnsettled: true }, FIELDS, QUERY_LIMIT)
        .lean<UnfinishedEmail[]>();
    },

    async markComplete(workspaceId: string, emailIds: readonly string[]): Promise<void> {
      await emails.updateMany({ workspaceId, _id: { $in: emailIds } }, { $set: { isUnsettled: false } }, QUERY_LIMIT);
    },

    async everyWorkspacesComplete(completed: readonly CompletedEmail[]): Promise<void> {
      await emails.bulkWrite(completed.map(completing), { ordered: false, ...QUERY_LIMIT });
    },

    /** Of all workspaces, the oldest first: those that arrived before a moment, after a position. */
    everyWorkspaces(before: Date, after: After | undefined, limit: number): Promise<(UnfinishedEmail & After)[]> {
      const behind = after && {
        receivedAt: { $gte: after.receivedAt, $lt: before },
        $or: [{ receivedAt: { $gt: after.receivedAt } }, { receivedAt: after.receivedAt, _id: { $gt: after._id } }],
      };
      return emails
        .find({ isUnsettled: true, ...(behind ?? { receivedAt: { $lt: before } }) }, FIELDS, QUERY_LIMIT)
        .sort(OLDEST_FIRST)
        .limit(limit)
        .lean<(UnfinishedEmail & After)[]>();
    },
  };
}
