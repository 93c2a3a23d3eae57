import type { Writes } from '@postroom/mail-store/access';
import { createOnce, madeBefore } from '@postroom/mail-store/create-once';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

const FIRST = { upsert: true, returnDocument: 'after' } as const;

export type ClassificationStore = ReturnType<typeof createClassificationStore>;

/** Why emails have the labels they have. */
export function createClassificationStore({ classifications }: Writes<'classifications'>) {
  const replace = async (
    workspaceId: string,
    { _id, ...said }: ClassificationDocument,
    budget: TimeBudget,
  ): Promise<void> => {
    const update = { $set: said, ...(said.reply === undefined && { $unset: { reply: '' } }) };
    await classifications.updateOne({ _id, workspaceId }, update, timeLimit(budget));
  };

  /** Two keep it for the first time at once. */
  const madeMeanwhile = async (error: unknown, said: ClassificationDocument, budget: TimeBudget) => {
    const made = isAnyDuplicate(error) ? await madeBefore(classifications, said, budget) : null;
    if (made) return made;
    throw error;
  };

  return {
    /**
     * The first verdicts stay, so that a repeat with other verdicts changes nothing. One command stores and reads them,
     * because most are needed twice: before a reply is prepared, and with the labels. They may be those of a backfill.
     */
    keepFirst(workspaceId: string, said: ClassificationDocument, budget: TimeBudget): Promise<ClassificationDocument> {
      const { _id, workspaceId: _, ...first } = said;
      return classifications
        .findOneAndUpdate({ _id, workspaceId }, { $setOnInsert: first }, { ...timeLimit(budget), ...FIRST })
        .lean<ClassificationDocument>()
        .catch((error: unknown) => madeMeanwhile(error, said, budget));
    },

    replace,

    /** For an email that was removed while its verdicts were kept. */
    async remove(workspaceId: string, emailId: string, budget: TimeBudget): Promise<void> {
      await classifications.deleteOne({ _id: emailId, workspaceId }, timeLimit(budget));
    },

    /** The verdicts of an email that still waits for its classification stay: its reply follows them. */
    async keepLatest(workspaceId: string, said: ClassificationDocument, isClassified: boolean, budget: TimeBudget) {
      const kept = await createOnce(classifications, said, budget);
      if (kept !== said && (isClassified || kept.isBackfill)) await replace(workspaceId, said, budget);
    },

    find(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ClassificationDocument | null> {
      return classifications
        .findOne({ _id: emailId, workspaceId }, null, timeLimit(budget))
        .lean<ClassificationDocument | null>();
    },
  };
}
