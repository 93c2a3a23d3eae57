import type { Writes } from '@postroom/mail-store/access';
import { appliedName } from './email-change.ts';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type CarrierStore = ReturnType<typeof createCarrierStore>;

/** The emails that carry a deleted label. */
export function createCarrierStore({ emails }: Writes<'emails'>) {
  return {
    /**
     * Removes a label, and its pending event, from a bounded number of emails. Returns the number of emails that carried it:
     * 0 when none does.
     */
    async takeLabelOff(workspaceId: string, labelId: string, most: number, budget: TimeBudget): Promise<number> {
      const carriers = await emails
        .find({ workspaceId, labelIds: labelId }, { _id: 1 }, timeLimit(budget))
        .sort({ date: -1, _id: -1 })
        .limit(most)
        .lean<{ _id: string }[]>();
      if (carriers.length === 0) return 0;
      await emails.updateMany(
        { workspaceId, _id: { $in: carriers.map(({ _id }) => _id) }, labelIds: labelId },
        { $pull: { labelIds: labelId }, $unset: { [`outbox.${appliedName(labelId)}`]: '' } },
        timeLimit(budget),
      );
      // It is not the count of changed emails: two calls at once would tell each other that none is left.
      return carriers.length;
    },
  };
}
