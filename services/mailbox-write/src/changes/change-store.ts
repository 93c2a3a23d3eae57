import type { Collections } from '@postroom/mail-store/collections';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { SHOWN_OF_EMAIL, type ShownEmail } from '@postroom/mail-store/email-message';
import { timeLimit } from '@postroom/mail-store/time-limit';
import type { mongo } from 'mongoose';
import { updateOf } from './change-update.ts';
import type { EmailChange } from './email-change.ts';

/** What a query may still take. */
export interface Patience {
  remainingMs(): number;
}

/** What a change depends on, and the little that an answer shows beside it. */
export type EmailState = Pick<EmailDocument, '_id' | 'mailboxId' | 'folderType' | 'isRead' | 'isStarred' | 'labelIds'>;
const STATE = { _id: 1, mailboxId: 1, folderType: 1, isRead: 1, isStarred: 1, labelIds: 1 } as const;
const SHOWN = { ...SHOWN_OF_EMAIL, labelIds: 1 } as const;
export type ChangedEmail = ShownEmail & Pick<EmailDocument, 'labelIds'>;

export type ChangeStore = ReturnType<typeof createChangeStore>;

/** Emails one at a time: a change answers with the email as that very change left it. */
export function createChangeStore({ emails }: Collections) {
  return {
    find(workspaceId: string, emailId: string, patience: Patience): Promise<ChangedEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, SHOWN, timeLimit(patience)).lean<ChangedEmail | null>();
    },

    /** Null where what the change depends on is not so, or is so no longer. */
    change(workspaceId: string, change: EmailChange, patience: Patience): Promise<ChangedEmail | null> {
      return emails
        .findOneAndUpdate({ ...change.when, workspaceId, _id: change.emailId }, updateOf(change), {
          ...timeLimit(patience),
          projection: SHOWN,
          returnDocument: 'after',
        })
        .lean<ChangedEmail | null>();
    },
  };
}

export type BulkStore = ReturnType<typeof createBulkStore>;

/** Emails by the hundred, in two round trips, or three when others change the same emails at the same time. */
export function createBulkStore({ emails }: Collections) {
  const driver = emails.collection as unknown as mongo.Collection<EmailDocument>;
  const marked = (workspaceId: string, emailIds: string[], operationId: string, patience: Patience) =>
    emails
      .find({ workspaceId, _id: { $in: emailIds }, recentChanges: operationId }, { _id: 1 }, timeLimit(patience))
      .lean<{ _id: string }[]>();

  return {
    states(workspaceId: string, emailIds: string[], patience: Patience): Promise<EmailState[]> {
      return emails.find({ workspaceId, _id: { $in: emailIds } }, STATE, timeLimit(patience)).lean<EmailState[]>();
    },

    /**
     * Makes those changes that still are changes, and answers whose they were: exactly the ids that this call changed.
     *
     * The server only counts what one command changed, it does not name it. When the count is the whole, every change
     * was ours. When it is less, somebody came between reading and writing, and the marks that our own updates left
     * tell which were ours, whatever happened to those emails since.
     */
    async changeMany(
      workspaceId: string,
      changes: EmailChange[],
      operationId: string,
      patience: Patience,
    ): Promise<string[]> {
      if (changes.length === 0) return [];
      const updates = changes.map((change) => ({
        updateOne: {
          filter: { ...change.when, workspaceId, _id: change.emailId },
          update: updateOf(change, operationId),
        },
      }));
      // Past mongoose, whose casting of 500 updates holds every other request up for a tenth of a second.
      const { modifiedCount } = await driver.bulkWrite(updates, { ordered: false, ...timeLimit(patience) });
      const emailIds = changes.map(({ emailId }) => emailId);
      if (modifiedCount === emailIds.length) return emailIds;

      const ours = (await marked(workspaceId, emailIds, operationId, patience)).map(({ _id }) => _id);
      if (ours.length < modifiedCount)
        throw new Error(`marks of ${modifiedCount - ours.length} changes were pushed out`);
      return ours;
    },

    /** Takes a label off at most so many emails, and answers how many were found with it: 0 when nobody has it. */
    async takeLabelOff(workspaceId: string, labelId: string, most: number, patience: Patience): Promise<number> {
      const carriers = await emails
        .find({ workspaceId, labelIds: labelId }, { _id: 1 }, timeLimit(patience))
        .sort({ date: -1, _id: -1 })
        .limit(most)
        .lean<{ _id: string }[]>();
      if (carriers.length === 0) return 0;
      await emails.updateMany(
        { workspaceId, _id: { $in: carriers.map(({ _id }) => _id) }, labelIds: labelId },
        { $pull: { labelIds: labelId } },
        timeLimit(patience),
      );
      // Not what the update changed: two of these at once would tell each other that nothing is left.
      return carriers.length;
    },
  };
}
