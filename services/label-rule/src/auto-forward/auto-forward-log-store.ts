import type { Writes } from '@postroom/mail-store/access';
import type { AutoForwardLogDocument } from '@postroom/mail-store/documents/label';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type AutoForwardLogStore = ReturnType<typeof createAutoForwardLogStore>;

export function createAutoForwardLogStore({ autoForwardLogs: logs }: Writes<'autoForwardLogs'>) {
  return {
    list(workspaceId: string, ruleId: string, limit: number, budget: TimeBudget): Promise<AutoForwardLogDocument[]> {
      return logs
        .find({ workspaceId, ruleId }, null, timeLimit(budget))
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<AutoForwardLogDocument[]>();
    },

    /** One line for each rule and email, with the result of the last attempt. */
    async record(
      workspaceId: string,
      { _id, createdAt, expiresAt, ...line }: Omit<AutoForwardLogDocument, 'workspaceId'>,
      budget: TimeBudget,
    ): Promise<void> {
      const made = { createdAt, expiresAt };
      await logs.updateOne(
        { _id, workspaceId },
        { $set: line, $setOnInsert: made },
        { ...timeLimit(budget), upsert: true },
      );
    },
  };
}
