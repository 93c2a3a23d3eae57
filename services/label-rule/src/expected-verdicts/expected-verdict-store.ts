import type { Reads, Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { AiLabelRuleDocument, ExpectedVerdictPart } from '@postroom/mail-store/documents/label';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { type TimeBudget, timeLimit } from '@postroom/mail-store/time-limit';

export type ExpectedVerdictStore = ReturnType<typeof createExpectedVerdictStore>;
export type ExpectedEmailDocument = Pick<EmailDocument, '_id' | 'mailboxId' | 'subject' | 'from' | 'date'>;

/** They are a part of their rule, and go with it. A rule lives as long as its label does. */
export function createExpectedVerdictStore(
  collections: Writes<'aiLabelRules'> & Reads<'aiLabelRules' | 'labels' | 'emails'>,
) {
  const { aiLabelRules } = collections;
  return {
    ...readsOf(collections),

    /** Replaces the verdict on the email. */
    async change(
      workspaceId: string,
      ruleId: string,
      verdict: ExpectedVerdictPart,
      budget: TimeBudget,
    ): Promise<boolean> {
      const { matchedCount } = await aiLabelRules.updateOne(
        { workspaceId, _id: ruleId, 'expectedVerdicts.emailId': verdict.emailId },
        { $set: { 'expectedVerdicts.$[own].applies': verdict.applies } },
        { ...timeLimit(budget), arrayFilters: [{ 'own.emailId': verdict.emailId }] },
      );
      return matchedCount > 0;
    },

    /** Adds the verdict while there are fewer than so many and none on the email. */
    async add(
      workspaceId: string,
      ruleId: string,
      verdict: ExpectedVerdictPart,
      most: number,
      budget: TimeBudget,
    ): Promise<boolean> {
      const isFree = {
        'expectedVerdicts.emailId': { $ne: verdict.emailId },
        [`expectedVerdicts.${most - 1}`]: { $exists: false },
      };
      const { matchedCount } = await aiLabelRules.updateOne(
        { workspaceId, _id: ruleId, ...isFree },
        { $push: { expectedVerdicts: verdict } },
        timeLimit(budget),
      );
      return matchedCount > 0;
    },

    async remove(workspaceId: string, ruleId: string, emailId: string, budget: TimeBudget): Promise<void> {
      const change = { $pull: { expectedVerdicts: { emailId } } };
      await aiLabelRules.updateOne({ workspaceId, _id: ruleId }, change, timeLimit(budget));
    },
  };
}

function readsOf(collections: Reads<'aiLabelRules' | 'labels' | 'emails'>) {
  const { aiLabelRules, emails } = collections;
  return {
    /** Undefined where there is no such rule. */
    async ofRule(workspaceId: string, ruleId: string, budget: TimeBudget): Promise<ExpectedVerdictPart[] | undefined> {
      const rule = await aiLabelRules
        .findOne({ workspaceId, _id: ruleId }, { labelId: 1, expectedVerdicts: 1 }, timeLimit(budget))
        .lean<Pick<AiLabelRuleDocument, 'labelId' | 'expectedVerdicts'> | null>();
      const living = rule ? await livingLabels(collections, workspaceId, [rule.labelId], budget) : [];
      return rule && living.length > 0 ? rule.expectedVerdicts : undefined;
    },

    emails(workspaceId: string, emailIds: readonly string[], budget: TimeBudget): Promise<ExpectedEmailDocument[]> {
      const shown = { mailboxId: 1, subject: 1, from: 1, date: 1 } as const;
      return emails
        .find({ workspaceId, _id: { $in: [...emailIds] } }, shown, timeLimit(budget))
        .lean<ExpectedEmailDocument[]>();
    },
  };
}
