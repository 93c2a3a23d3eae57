import type { Writes } from '@postroom/mail-store/access';
import { createOnce } from '@postroom/mail-store/create-once';
import type { ViewDocument } from '@postroom/mail-store/documents/view-filter';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type ViewChange = Partial<Pick<ViewDocument, 'name' | 'icon' | 'filters'>>;
export type ViewStore = ReturnType<typeof createViewStore>;

export function createViewStore({ views }: Writes<'views'>) {
  return {
    list(workspaceId: string, budget: TimeBudget): Promise<ViewDocument[]> {
      return views.find({ workspaceId }, null, timeLimit(budget)).sort({ createdAt: 1, _id: 1 }).lean<ViewDocument[]>();
    },

    find(workspaceId: string, viewId: string, budget: TimeBudget): Promise<ViewDocument | null> {
      return views.findOne({ workspaceId, _id: viewId }, null, timeLimit(budget)).lean<ViewDocument | null>();
    },

    countOthers(workspaceId: string, viewId: string, budget: TimeBudget): Promise<number> {
      return views.countDocuments({ workspaceId, _id: { $ne: viewId } }, timeLimit(budget));
    },

    insert(workspaceId: string, view: Omit<ViewDocument, 'workspaceId'>, budget: TimeBudget): Promise<ViewDocument> {
      return createOnce(views, { ...view, workspaceId }, budget);
    },

    change(workspaceId: string, viewId: string, change: ViewChange, budget: TimeBudget): Promise<ViewDocument | null> {
      return views
        .findOneAndUpdate(
          { workspaceId, _id: viewId },
          { $set: change },
          { ...timeLimit(budget), returnDocument: 'after' },
        )
        .lean<ViewDocument | null>();
    },

    /** Whether there was one to delete. */
    async delete(workspaceId: string, viewId: string, budget: TimeBudget): Promise<boolean> {
      const { deletedCount } = await views.deleteOne({ workspaceId, _id: viewId }, timeLimit(budget));
      return deletedCount === 1;
    },
  };
}
