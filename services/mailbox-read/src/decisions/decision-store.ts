import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type DecisionStore = ReturnType<typeof createDecisionStore>;
const DECIDED = {
  _id: 1,
  subject: 1,
  from: 1,
  date: 1,
  labelIds: 1,
  labelEffects: 1,
  ruleLabelIds: 1,
  undoneEffects: 1,
} as const;
export type DecidedEmail = Pick<EmailDocument, keyof typeof DECIDED>;

/** The decisions that a list shows: of one rule, or of each rule that applies. */
interface Decided {
  ruleId: string | undefined;
  since: Date | null;
}

/** The decisions of rules about emails. A classification has the id of its email. */
export function createDecisionStore({ classifications, emails }: Reads<'classifications' | 'emails'>) {
  return {
    /** The newest before a position, newest first. */
    newest(
      workspaceId: string,
      { ruleId, since }: Decided,
      { after, limit }: { after: { date: Date; id: string } | null; limit: number },
      budget: TimeBudget,
    ): Promise<ClassificationDocument[]> {
      const before = after && {
        $or: [{ createdAt: { $lt: after.date } }, { createdAt: after.date, _id: { $lt: after.id } }],
      };
      const ofRules = ruleId === undefined ? { 'verdicts.applies': true } : { 'verdicts.ruleId': ruleId };
      const decided = { workspaceId, ...ofRules, ...(since && { createdAt: { $gte: since } }) };
      return classifications
        .find({ ...decided, ...before }, null, timeLimit(budget))
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean();
    },

    emails(workspaceId: string, emailIds: readonly string[], budget: TimeBudget): Promise<DecidedEmail[]> {
      const which = { workspaceId, _id: { $in: [...emailIds] } };
      return emails.find(which, DECIDED, timeLimit(budget)).lean<DecidedEmail[]>();
    },
  };
}
