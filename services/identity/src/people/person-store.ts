import type { Writes } from '@postroom/mail-store/access';
import type { PasswordHash, PersonDocument } from '@postroom/mail-store/documents/identity';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type PersonStore = ReturnType<typeof createPersonStore>;

/** People belong to no workspace. */
export function createPersonStore({ people }: Writes<'people'>) {
  const byEmail = (emailKey: string, budget: TimeBudget): Promise<PersonDocument | null> =>
    people.findOne({ emailKey }, null, timeLimit(budget)).lean();
  return {
    byEmail,

    find: (personId: string, budget: TimeBudget): Promise<PersonDocument | null> =>
      people.findOne({ _id: personId }, null, timeLimit(budget)).lean(),

    findAll: (personIds: readonly string[], budget: TimeBudget): Promise<PersonDocument[]> =>
      people.find({ _id: { $in: [...personIds] } }, null, timeLimit(budget)).lean(),

    /** Returns the person who has this address: this one, or the one who was there before. */
    insertOnce: async (person: PersonDocument, budget: TimeBudget): Promise<PersonDocument> => {
      try {
        await people.create(person);
        return person;
      } catch (error) {
        const earlier = isDuplicate(error, 'email') ? await byEmail(person.emailKey, budget) : null;
        if (earlier) return earlier;
        throw error;
      }
    },

    /** False when another call has changed the password since it was read, or a provider has proven the address since the sign-in. */
    replacePassword: async (
      { _id, password: known, proofId: knownProofId }: Pick<PersonDocument, '_id' | 'password' | 'proofId'>,
      password: PasswordHash,
      budget: TimeBudget,
    ): Promise<boolean> => {
      const proofId = knownProofId ?? null;
      const unchanged = known ? { proofId, 'password.hash': known.hash } : { proofId, password: null };
      const { matchedCount } = await people.updateOne({ _id, ...unchanged }, { $set: { password } }, timeLimit(budget));
      return matchedCount === 1;
    },

    /** From then on no way in of before opens anything, nor sets up another one. */
    prove: async (personId: string, proofId: string, budget: TimeBudget): Promise<void> => {
      await people.updateOne({ _id: personId }, { $set: { proofId, password: null } }, timeLimit(budget));
    },

    rename: (personId: string, name: string, budget: TimeBudget): Promise<PersonDocument | null> =>
      people
        .findOneAndUpdate({ _id: personId }, { $set: { name } }, { returnDocument: 'after', ...timeLimit(budget) })
        .lean(),
  };
}
