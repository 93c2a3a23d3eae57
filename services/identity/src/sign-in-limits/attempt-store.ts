import type { Writes } from '@postroom/mail-store/access';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type AttemptStore = ReturnType<typeof createAttemptStore>;

/** Attempts are counted by account and by address, in no workspace. An address that has opened an account is kept. */
export function createAttemptStore({ signInAttempts }: Writes<'signInAttempts'>) {
  return {
    /** The number of attempts with this one. */
    count: async (key: string, expiresAt: Date, budget: TimeBudget): Promise<number> => {
      const counted = await signInAttempts
        .findOneAndUpdate(
          { _id: key },
          { $inc: { count: 1 }, $setOnInsert: { expiresAt } },
          { upsert: true, returnDocument: 'after', ...timeLimit(budget) },
        )
        .lean<{ count: number } | null>();
      return counted?.count ?? 1;
    },

    isKept: async (key: string, now: Date, budget: TimeBudget): Promise<boolean> =>
      (await signInAttempts.exists({ _id: key, expiresAt: { $gt: now } }).setOptions(timeLimit(budget))) !== null,

    keep: async (key: string, expiresAt: Date, budget: TimeBudget): Promise<void> => {
      await signInAttempts.updateOne(
        { _id: key },
        { $set: { expiresAt }, $setOnInsert: { count: 0 } },
        { upsert: true, ...timeLimit(budget) },
      );
    },

    giveBack: async (key: string, budget: TimeBudget): Promise<void> => {
      await signInAttempts.updateOne({ _id: key }, { $inc: { count: -1 } }, timeLimit(budget));
    },
  };
}
