import type { Writes } from '@postroom/mail-store/access';
import { appliedName } from './email-change.ts';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type CarrierStore = ReturnType<typeof createCarrierStore>;

/** The emails that carry a label which is gone. */
export function createCarrierStore({ emails }: Writes<'emails'>) {
  return {
    /**
     * Takes a label off at most so many emails, with the word that it was applied, and answers how many were found with
     * it: 0 when nobody has it.
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
      // Not what the update changed: two of these at once would tell each other that nothing is left.
      return carriers.length;
    },
  };
}
