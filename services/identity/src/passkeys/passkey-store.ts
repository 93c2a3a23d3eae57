import type { Writes } from '@postroom/mail-store/access';
import type { PasskeyDocument } from '@postroom/mail-store/documents/identity';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;

/** Passkeys belong to a person, and are found by their own id when somebody signs in. */
export function createPasskeyStore({ passkeys, passkeyChallenges }: Writes<'passkeys' | 'passkeyChallenges'>) {
  return {
    find: (passkeyId: string, budget: TimeBudget): Promise<PasskeyDocument | null> =>
      passkeys.findOne({ _id: passkeyId }, null, timeLimit(budget)).lean(),

    list: (personId: string, budget: TimeBudget): Promise<PasskeyDocument[]> =>
      passkeys.find({ personId }, null, timeLimit(budget)).sort({ createdAt: 1 }).lean(),

    /** False when there is a passkey with this id already. */
    insert: async (passkey: PasskeyDocument): Promise<boolean> => {
      try {
        await passkeys.create(passkey);
        return true;
      } catch (error) {
        if (isAnyDuplicate(error)) return false;
        throw error;
      }
    },

    recordUse: async (passkeyId: string, counter: number, lastUsedAt: Date, budget: TimeBudget): Promise<void> => {
      await passkeys.updateOne({ _id: passkeyId }, { $set: { counter, lastUsedAt } }, timeLimit(budget));
    },

    remove: async (personId: string, passkeyId: string, budget: TimeBudget): Promise<void> => {
      await passkeys.deleteOne({ _id: passkeyId, personId }, timeLimit(budget));
    },

    removeAll: async (personId: string, budget: TimeBudget): Promise<void> => {
      await passkeys.deleteMany({ personId }, timeLimit(budget));
    },

    /** The person is empty for a challenge of a sign-in, because nobody knows yet who it will be. */
    insertChallenge: async (challengeHash: string, personId: string, expiresAt: Date): Promise<void> => {
      await passkeyChallenges.create({ _id: challengeHash, personId, expiresAt });
    },

    /** True for the one call that takes it, in time and for the same person. */
    takeChallenge: async (challengeHash: string, personId: string, now: Date, budget: TimeBudget): Promise<boolean> => {
      const asked = { _id: challengeHash, personId, expiresAt: { $gt: now } };
      const { deletedCount } = await passkeyChallenges.deleteOne(asked, timeLimit(budget));
      return deletedCount === 1;
    },
  };
}
