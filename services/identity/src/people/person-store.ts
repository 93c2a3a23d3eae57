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

    /** False when the password was changed by another call since it was read. */
    replacePassword: async (
      { _id, password: known }: Pick<PersonDocument, '_id' | 'password'>,
      password: PasswordHash,
      budget: TimeBudget,
    ): Promise<boolean> => {
      const unchanged = known ? { 'password.hash': known.hash } : { password: null };
      const { matchedCount } = await people.updateOne({ _id, ...unchanged }, { $set: { password } }, timeLimit(budget));
      return matchedCount === 1;
    },

    removePassword: async (personId: string, budget: TimeBudget): Promise<void> => {
      await people.updateOne({ _id: personId }, { $set: { password: null } }, timeLimit(budget));
    },

    rename: (personId: string, name: string, budget: TimeBudget): Promise<PersonDocument | null> =>
      people
        .findOneAndUpdate({ _id: personId }, { $set: { name } }, { returnDocument: 'after', ...timeLimit(budget) })
        .lean(),
  };
}
