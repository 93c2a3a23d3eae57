import type { Writes } from '@postroom/mail-store/access';
import { createOnce } from '@postroom/mail-store/create-once';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type AutoForwardChange = Partial<Omit<AutoForwardRuleDocument, '_id' | 'workspaceId' | 'createdAt'>>;
export type AutoForwardStore = ReturnType<typeof createAutoForwardStore>;

export function createAutoForwardStore({ autoForwardRules: rules }: Writes<'autoForwardRules'>) {
  return {
    list(workspaceId: string, budget: TimeBudget): Promise<AutoForwardRuleDocument[]> {
      return rules
        .find({ workspaceId }, null, timeLimit(budget))
        .sort({ createdAt: 1, _id: 1 })
        .lean<AutoForwardRuleDocument[]>();
    },

    /** The label names by which active rules forward. */
    async forwardedNames(workspaceId: string, budget: TimeBudget): Promise<string[]> {
      const named = { workspaceId, isActive: true, conditionField: 'label' } as const;
      const found = await rules
        .find(named, { conditionValue: 1 }, timeLimit(budget))
        .lean<Pick<AutoForwardRuleDocument, 'conditionValue'>[]>();
      return found.map(({ conditionValue }) => conditionValue);
    },

    find(workspaceId: string, ruleId: string, budget: TimeBudget): Promise<AutoForwardRuleDocument | null> {
      return rules
        .findOne({ _id: ruleId, workspaceId }, null, timeLimit(budget))
        .lean<AutoForwardRuleDocument | null>();
    },

    countOthers(workspaceId: string, ruleId: string, budget: TimeBudget): Promise<number> {
      return rules.countDocuments({ workspaceId, _id: { $ne: ruleId } }, timeLimit(budget));
    },

    insert(
      workspaceId: string,
      rule: Omit<AutoForwardRuleDocument, 'workspaceId'>,
      budget: TimeBudget,
    ): Promise<AutoForwardRuleDocument> {
      return createOnce(rules, { ...rule, workspaceId }, budget);
    },

    change(
      workspaceId: string,
      ruleId: string,
      change: AutoForwardChange,
      budget: TimeBudget,
    ): Promise<AutoForwardRuleDocument | null> {
      return rules
        .findOneAndUpdate(
          { _id: ruleId, workspaceId },
          { $set: change },
          { ...timeLimit(budget), returnDocument: 'after' },
        )
        .lean<AutoForwardRuleDocument | null>();
    },

    async delete(workspaceId: string, ruleId: string, budget: TimeBudget): Promise<boolean> {
      return (await rules.deleteOne({ _id: ruleId, workspaceId }, timeLimit(budget))).deletedCount === 1;
    },
  };
}
