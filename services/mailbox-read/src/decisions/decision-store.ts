import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type DecisionStore = ReturnType<typeof createDecisionStore>;
export type DecidedEmail = Pick<EmailDocument, '_id' | 'subject' | 'from' | 'date'>;

/** The decisions of rules about emails. A classification has the id of its email. */
export function createDecisionStore({ classifications, emails }: Reads<'classifications' | 'emails'>) {
  return {
    /** The newest before a position, newest first. */
    ofRule(
      workspaceId: string,
      ruleId: string,
      { after, limit }: { after: { date: Date; id: string } | null; limit: number },
      budget: TimeBudget,
    ): Promise<ClassificationDocument[]> {
      const before = after && {
        $or: [{ createdAt: { $lt: after.date } }, { createdAt: after.date, _id: { $lt: after.id } }],
      };
      return classifications
        .find({ workspaceId, 'verdicts.ruleId': ruleId, ...before }, null, timeLimit(budget))
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean();
    },

    emails(workspaceId: string, emailIds: readonly string[], budget: TimeBudget): Promise<DecidedEmail[]> {
      const shown = { _id: 1, subject: 1, from: 1, date: 1 } as const;
      return emails.find({ workspaceId, _id: { $in: [...emailIds] } }, shown, timeLimit(budget)).lean<DecidedEmail[]>();
    },
  };
}
