import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import type { mongo } from 'mongoose';
import { updateOf } from './change-update.ts';
import type { EmailChange } from './email-change.ts';

/** The fields on which the changes of many emails depend. */
export type EmailState = Pick<EmailDocument, '_id' | 'mailboxId' | 'folderType' | 'isRead' | 'labelIds'>;
const STATE = { _id: 1, mailboxId: 1, folderType: 1, isRead: 1, labelIds: 1 } as const;

/** Documents whose slot another call has taken since are not changed; all others are. */
function countDespite(error: unknown): number {
  if (!isAnyDuplicate(error)) throw error;
  return (error as { result?: { modifiedCount?: number } }).result?.modifiedCount ?? 0;
}

export type BulkStore = ReturnType<typeof createBulkStore>;

/** Changes hundreds of emails in two round trips, or three when other calls change the same emails at the same time. */
export function createBulkStore({ emails }: Writes<'emails'>) {
  const driver = emails.collection as unknown as mongo.Collection<EmailDocument>;
  const marked = (workspaceId: string, emailIds: string[], operationId: string, budget: TimeBudget) =>
    emails
      .find({ workspaceId, _id: { $in: emailIds }, recentChanges: operationId }, { _id: 1 }, timeLimit(budget))
      .lean<{ _id: string }[]>();

  return {
    states(workspaceId: string, emailIds: string[], budget: TimeBudget): Promise<EmailState[]> {
      return emails.find({ workspaceId, _id: { $in: emailIds } }, STATE, timeLimit(budget)).lean<EmailState[]>();
    },

    /**
     * Makes the changes that still apply, and returns exactly the ids that this call changed.
     *
     * The server only counts what one command changed, it does not name it. When the count is the whole, every change
     * was ours. When it is less, somebody came between reading and writing, and the marks that our own updates left
     * tell which were ours, whatever happened to those emails since.
     */
    async changeMany(
      workspaceId: string,
      changes: EmailChange[],
      operationId: string,
      budget: TimeBudget,
    ): Promise<string[]> {
      if (changes.length === 0) return [];
      const updates = changes.map((change) => ({
        updateOne: {
          filter: { ...change.when, workspaceId, _id: change.emailId },
          update: updateOf(change, operationId),
        },
      }));
      // Past mongoose, whose casting of 500 updates holds every other request up for a tenth of a second.
      const modifiedCount = await driver.bulkWrite(updates, { ordered: false, ...timeLimit(budget) }).then(
        ({ modifiedCount: count }) => count,
        (error: unknown) => countDespite(error),
      );
      const emailIds = changes.map(({ emailId }) => emailId);
      if (modifiedCount === emailIds.length) return emailIds;

      const ours = (await marked(workspaceId, emailIds, operationId, budget)).map(({ _id }) => _id);
      if (ours.length < modifiedCount)
        throw new Error(`marks of ${modifiedCount - ours.length} changes were pushed out`);
      return ours;
    },
  };
}
