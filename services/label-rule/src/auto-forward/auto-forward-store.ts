import type { Writes } from '@postroom/mail-store/access';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { workspaceItems } from '@postroom/mail-store/workspace-items';

export type AutoForwardChange = Partial<Omit<AutoForwardRuleDocument, '_id' | 'workspaceId' | 'createdAt'>>;
export type AutoForwardStore = ReturnType<typeof createAutoForwardStore>;

export function createAutoForwardStore({ autoForwardRules: rules }: Writes<'autoForwardRules'>) {
  return {
    ...workspaceItems(rules),

    /** The label names by which active rules forward. */
    async forwardedNames(workspaceId: string, budget: TimeBudget): Promise<string[]> {
      const named = { workspaceId, isActive: true, conditionField: 'label' } as const;
      const found = await rules
        .find(named, { conditionValue: 1 }, timeLimit(budget))
        .lean<Pick<AutoForwardRuleDocument, 'conditionValue'>[]>();
      return found.map(({ conditionValue }) => conditionValue);
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
  };
}
