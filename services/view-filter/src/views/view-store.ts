import type { Writes } from '@postroom/mail-store/access';
import type { ViewDocument } from '@postroom/mail-store/documents/view-filter';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { workspaceItems } from '@postroom/mail-store/workspace-items';

export type ViewChange = Partial<Pick<ViewDocument, 'name' | 'icon' | 'filters' | 'mailboxIds'>>;
export type ViewStore = ReturnType<typeof createViewStore>;

export function createViewStore({ views }: Writes<'views'>) {
  return {
    ...workspaceItems(views),

    change(workspaceId: string, viewId: string, change: ViewChange, budget: TimeBudget): Promise<ViewDocument | null> {
      return views
        .findOneAndUpdate(
          { workspaceId, _id: viewId },
          { $set: change },
          { ...timeLimit(budget), returnDocument: 'after' },
        )
        .lean<ViewDocument | null>();
    },
  };
}
