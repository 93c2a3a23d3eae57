import type { Writes } from '@postroom/mail-store/access';
import { type TimeBudget, timeLimit } from '@postroom/mail-store/time-limit';

export type CompiledConditionStore = ReturnType<typeof createCompiledConditionStore>;

export function createCompiledConditionStore({ aiLabelRules }: Writes<'aiLabelRules'>) {
  return {
    /** Keeps the time where it is switched on already. */
    async switchOn(workspaceId: string, ruleId: string, since: Date, budget: TimeBudget): Promise<void> {
      const isOff = { workspaceId, _id: ruleId, compiledSince: { $exists: false } };
      await aiLabelRules.updateOne(isOff, { $set: { compiledSince: since } }, timeLimit(budget));
    },

    async switchOff(workspaceId: string, ruleId: string, budget: TimeBudget): Promise<void> {
      await aiLabelRules.updateOne({ workspaceId, _id: ruleId }, { $unset: { compiledSince: 1 } }, timeLimit(budget));
    },
  };
}
