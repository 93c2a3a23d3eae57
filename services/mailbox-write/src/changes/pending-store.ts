import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT, timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

const NEVER = new Date(0);

export interface Postponement {
  emailId: string;
  /** As it was read. */
  seen: Date | undefined;
  notBefore: Date;
  attempts: number | undefined;
  cause: string | undefined;
  /** Given where the email is given up. */
  quarantinedAt: Date | undefined;
}

export type QuarantinedEmail = Pick<EmailDocument, '_id' | 'mailboxId' | 'classification'>;
export type PendingStore = ReturnType<typeof createPendingStore>;

/** The state of the classification of emails. */
export function createPendingStore({ emails }: Writes<'emails'>) {
  return {
    /** False when another process was faster, and when the email no longer waits. */
    async postpone(workspaceId: string, to: Postponement, budget: TimeBudget): Promise<boolean> {
      const { emailId, seen, notBefore, attempts, cause, quarantinedAt } = to;
      const asRead = { 'classification.notBefore': seen ?? { $exists: false } };
      const set = {
        ...(quarantinedAt
          ? { 'classification.quarantinedAt': quarantinedAt }
          : { 'classification.notBefore': notBefore }),
        ...(attempts !== undefined && { 'classification.attempts': attempts }),
        ...(cause !== undefined && { 'classification.cause': cause }),
      };
      const unset = { awaitsClassificationSince: '', 'classification.notBefore': '' };
      const { matchedCount } = await emails.updateOne(
        { workspaceId, _id: emailId, awaitsClassificationSince: { $gt: NEVER }, ...asRead },
        { $set: set, ...(quarantinedAt && { $unset: unset }) },
        timeLimit(budget),
      );
      return matchedCount > 0;
    },

    quarantined(
      workspaceId: string,
      mailboxId: string | undefined,
      limit: number,
      budget: TimeBudget,
    ): Promise<QuarantinedEmail[]> {
      const which = { workspaceId, ...(mailboxId !== undefined && { mailboxId }) };
      return emails
        .find(
          { ...which, 'classification.quarantinedAt': { $gt: NEVER } },
          { mailboxId: 1, classification: 1 },
          timeLimit(budget),
        )
        .sort({ 'classification.quarantinedAt': -1 })
        .limit(limit)
        .lean<QuarantinedEmail[]>();
    },

    /** Makes them wait again as if they had just arrived, after other waiting emails of their threads. Without ids it means all. */
    async retry(workspaceId: string, emailIds: readonly string[], now: Date, budget: TimeBudget): Promise<number> {
      const named = emailIds.length > 0 ? { _id: { $in: [...emailIds] } } : {};
      const { modifiedCount } = await emails.updateMany(
        { workspaceId, ...named, 'classification.quarantinedAt': { $gt: NEVER } },
        { $set: { awaitsClassificationSince: now }, $unset: { classification: '' } },
        timeLimit(budget),
      );
      return modifiedCount;
    },

    everyQuarantined(limit: number): Promise<number> {
      // Its index begins with the workspace: without one every email would be looked at.
      const quarantined = { workspaceId: { $gt: '' }, 'classification.quarantinedAt': { $gt: NEVER } };
      return emails.countDocuments(quarantined, { ...QUERY_LIMIT, limit });
    },
  };
}
