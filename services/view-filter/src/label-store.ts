import type { Collections } from '@postroom/mail-store/collections';
import type { LabelDocument } from '@postroom/mail-store/documents/label';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type LabelRefDocument = Pick<LabelDocument, '_id' | 'name' | 'color' | 'isAiLabel'>;
export type LabelStore = ReturnType<typeof createLabelStore>;

const REF = { _id: 1, name: 1, color: 1, isAiLabel: 1 } as const;

/** Labels belong to another service; here they are only looked up. */
export function createLabelStore({ labels }: Collections) {
  return {
    /** Those of the ids that are labels and alive. */
    living(workspaceId: string, labelIds: string[], budget: TimeBudget): Promise<LabelRefDocument[]> {
      if (labelIds.length === 0) return Promise.resolve([]);
      return labels
        .find({ workspaceId, _id: { $in: labelIds }, deletedAt: null }, REF, timeLimit(budget))
        .lean<LabelRefDocument[]>();
    },
  };
}
