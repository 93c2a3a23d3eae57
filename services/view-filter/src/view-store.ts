import type { Collections } from '@postroom/mail-store/collections';
import type { ViewDocument } from '@postroom/mail-store/documents/view-filter';
import { timeLimit, type Patience } from '@postroom/mail-store/time-limit';

export type ViewChange = Partial<Pick<ViewDocument, 'name' | 'icon' | 'filters'>>;
export type ViewStore = ReturnType<typeof createViewStore>;

export function createViewStore({ views }: Collections) {
  return {
    list(workspaceId: string, patience: Patience): Promise<ViewDocument[]> {
      return views
        .find({ workspaceId }, null, timeLimit(patience))
        .sort({ createdAt: 1, _id: 1 })
        .lean<ViewDocument[]>();
    },

    find(workspaceId: string, viewId: string, patience: Patience): Promise<ViewDocument | null> {
      return views.findOne({ workspaceId, _id: viewId }, null, timeLimit(patience)).lean<ViewDocument | null>();
    },

    async insert(workspaceId: string, view: Omit<ViewDocument, 'workspaceId'>): Promise<ViewDocument> {
      const document = { ...view, workspaceId };
      await views.create([document]);
      return document;
    },

    change(workspaceId: string, viewId: string, change: ViewChange, patience: Patience): Promise<ViewDocument | null> {
      return views
        .findOneAndUpdate(
          { workspaceId, _id: viewId },
          { $set: change },
          { ...timeLimit(patience), returnDocument: 'after' },
        )
        .lean<ViewDocument | null>();
    },

    /** Whether there was one to delete. */
    async delete(workspaceId: string, viewId: string, patience: Patience): Promise<boolean> {
      const { deletedCount } = await views.deleteOne({ workspaceId, _id: viewId }, timeLimit(patience));
      return deletedCount === 1;
    },
  };
}
