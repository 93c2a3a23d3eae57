import type { Collections } from '@postroom/mail-store/collections';
import { createOnce } from '@postroom/mail-store/create-once';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type ClassificationStore = ReturnType<typeof createClassificationStore>;

/** Why emails have the labels they have. */
export function createClassificationStore({ classifications }: Pick<Collections, 'classifications'>) {
  const replace = async (
    workspaceId: string,
    { _id, ...said }: ClassificationDocument,
    budget: TimeBudget,
  ): Promise<void> => {
    await classifications.updateOne({ _id, workspaceId }, { $set: said }, timeLimit(budget));
  };

  return {
    /** What was said first stays, so that a repeat which was told otherwise changes nothing; a backfill is no first. */
    async keepFirst(
      workspaceId: string,
      said: ClassificationDocument,
      budget: TimeBudget,
    ): Promise<ClassificationDocument> {
      const kept = await createOnce(classifications, said, budget);
      if (!kept.isBackfill) return kept;
      await replace(workspaceId, said, budget);
      return said;
    },

    async keepLatest(workspaceId: string, said: ClassificationDocument, budget: TimeBudget): Promise<void> {
      const kept = await createOnce(classifications, said, budget);
      if (kept !== said) await replace(workspaceId, said, budget);
    },

    find(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ClassificationDocument | null> {
      return classifications
        .findOne({ _id: emailId, workspaceId }, null, timeLimit(budget))
        .lean<ClassificationDocument | null>();
    },
  };
}
