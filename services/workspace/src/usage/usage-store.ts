import type { Reads } from '@postroom/mail-store/access';
import type { DayCountsDocument, KeyUseDocument, LimitReadingDocument } from '@postroom/mail-store/documents/usage';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import type { Days } from './days.ts';

export type UsageStore = ReturnType<typeof createUsageStore>;
export type CountsOfDay = Pick<DayCountsDocument, 'subject' | 'day' | 'counts'>;

const SHOWN = { subject: 1, day: 1, counts: 1 } as const;

export function createUsageStore(collections: Reads<'callCounts' | 'keyUses' | 'limitReadings' | 'modelCounts'>) {
  const { callCounts, keyUses, limitReadings, modelCounts } = collections;
  const within = (workspaceId: string, { from, to }: Days) => ({ workspaceId, day: { $gte: from, $lte: to } });
  return {
    /** By key. Each process has documents of its own. */
    calls: (workspaceId: string, days: Days, keyId: string | undefined, budget: TimeBudget): Promise<CountsOfDay[]> =>
      callCounts
        .find(
          { ...within(workspaceId, days), ...(keyId !== undefined && { subject: keyId }) },
          SHOWN,
          timeLimit(budget),
        )
        .lean<CountsOfDay[]>()
        .exec(),

    /** By rule. */
    modelCounts: (workspaceId: string, days: Days, budget: TimeBudget): Promise<CountsOfDay[]> =>
      modelCounts.find(within(workspaceId, days), SHOWN, timeLimit(budget)).lean<CountsOfDay[]>().exec(),

    keyUses: (workspaceId: string, budget: TimeBudget): Promise<KeyUseDocument[]> =>
      keyUses.find({ workspaceId }, null, timeLimit(budget)).lean<KeyUseDocument[]>().exec(),

    limitReading: (workspaceId: string, budget: TimeBudget): Promise<LimitReadingDocument | null> =>
      limitReadings
        .findOne({ _id: workspaceId, workspaceId }, null, timeLimit(budget))
        .lean<LimitReadingDocument | null>()
        .exec(),
  };
}
