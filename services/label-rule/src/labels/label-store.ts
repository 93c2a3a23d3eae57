import type { Writes } from '@postroom/mail-store/access';
import { createOnce } from '@postroom/mail-store/create-once';
import type { LabelDocument } from '@postroom/mail-store/documents/label';
import { timeLimit, type TimeBudget, QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { deletedNameKeyOf } from '../label-name/label-name.ts';

export type LabelChange = Partial<Pick<LabelDocument, 'name' | 'nameKey' | 'color'>>;
/** A label of one kind: a manual one changes by itself, an AI one through its rule. */
type LabelKind = Pick<LabelDocument, '_id' | 'isAiLabel'>;
export type LabelStore = ReturnType<typeof createLabelStore>;

export function createLabelStore({ labels }: Writes<'labels'>) {
  // A deleted label is gone for every reader once it has its date, long before its document is removed.
  const living = (workspaceId: string) => ({ workspaceId, deletedAt: null });

  return {
    list(workspaceId: string, budget: TimeBudget): Promise<LabelDocument[]> {
      return labels
        .find(living(workspaceId), null, timeLimit(budget))
        .sort({ createdAt: 1, _id: 1 })
        .lean<LabelDocument[]>();
    },

    find(workspaceId: string, labelId: string, budget: TimeBudget): Promise<LabelDocument | null> {
      return labels
        .findOne({ ...living(workspaceId), _id: labelId }, null, timeLimit(budget))
        .lean<LabelDocument | null>();
    },

    countOthers(workspaceId: string, labelId: string, budget: TimeBudget): Promise<number> {
      return labels.countDocuments({ ...living(workspaceId), _id: { $ne: labelId } }, timeLimit(budget));
    },

    insert(workspaceId: string, label: Omit<LabelDocument, 'workspaceId'>, budget: TimeBudget): Promise<LabelDocument> {
      return createOnce(labels, { ...label, workspaceId }, budget);
    },

    change(workspaceId: string, { _id, isAiLabel }: LabelKind, change: LabelChange, budget: TimeBudget) {
      return labels
        .findOneAndUpdate(
          { ...living(workspaceId), _id, isAiLabel },
          { $set: change },
          { ...timeLimit(budget), returnDocument: 'after' },
        )
        .lean<LabelDocument | null>();
    },

    /** Removes a label that no caller has seen. */
    async remove(workspaceId: string, labelId: string, budget: TimeBudget): Promise<void> {
      await labels.deleteOne({ workspaceId, _id: labelId }, timeLimit(budget));
    },

    /** Turns the label into a tombstone, and frees its name at once. A second call gets null. */
    bury(workspaceId: string, { _id, isAiLabel }: LabelKind, deletedAt: Date, budget: TimeBudget) {
      return labels
        .findOneAndUpdate(
          { ...living(workspaceId), _id, isAiLabel },
          { $set: { deletedAt, nameKey: deletedNameKeyOf(_id) } },
          { ...timeLimit(budget), returnDocument: 'after' },
        )
        .lean<LabelDocument | null>();
    },
  };
}

const MOST_TOMBSTONES = 1_000;

/** The tombstones of every workspace, oldest first: the only query about labels without a workspace. */
export function createTombstoneStore({ labels }: Writes<'labels'>) {
  return {
    everyWorkspaces(): Promise<LabelDocument[]> {
      return labels
        .find({ deletedAt: { $gt: new Date(0) } })
        .sort({ deletedAt: 1 })
        .limit(MOST_TOMBSTONES)
        .maxTimeMS(QUERY_LIMIT.maxTimeMS)
        .lean<LabelDocument[]>();
    },

    async remove(workspaceId: string, labelId: string): Promise<void> {
      await labels.deleteOne({ workspaceId, _id: labelId, deletedAt: { $gt: new Date(0) } });
    },
  };
}
