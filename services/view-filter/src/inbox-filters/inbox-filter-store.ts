import type { Writes } from '@postroom/mail-store/access';
import type { InboxFilterDocument } from '@postroom/mail-store/documents/view-filter';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { workspaceItems } from '@postroom/mail-store/workspace-items';

const VALUE_INDEX = 'workspace_value';

export type FilterValue = Pick<InboxFilterDocument, 'type' | 'value' | 'valueKey'>;
type NewFilter = Omit<InboxFilterDocument, 'workspaceId'>;
type Stored = InboxFilterDocument | null;
/** A write took place, found another filter with the same type and value, or found nothing to change. */
type Written = { filter: InboxFilterDocument } | 'duplicate' | 'missing';
export type InboxFilterStore = ReturnType<typeof createInboxFilterStore>;

export function createInboxFilterStore({ inboxFilters }: Writes<'inboxFilters'>) {
  const { insert, ...items } = workspaceItems(inboxFilters);
  return {
    ...items,

    findSame(workspaceId: string, { type, valueKey }: FilterValue, budget: TimeBudget) {
      return inboxFilters.findOne({ workspaceId, type, valueKey }, null, timeLimit(budget)).lean<Stored>();
    },

    insert(workspaceId: string, filter: NewFilter, budget: TimeBudget): Promise<Written> {
      return written(() => insert(workspaceId, filter, budget));
    },

    /** Changes the filter only if it is unchanged since the change was checked against it. */
    async change(
      workspaceId: string,
      { _id, type, value }: InboxFilterDocument,
      change: FilterValue & { updatedAt: Date },
      budget: TimeBudget,
    ): Promise<Written> {
      return written(() =>
        inboxFilters
          .findOneAndUpdate(
            { workspaceId, _id, type, value },
            { $set: change },
            { ...timeLimit(budget), returnDocument: 'after' },
          )
          .lean<Stored>(),
      );
    },

    async forgetLabel(workspaceId: string, labelId: string, budget: TimeBudget): Promise<number> {
      const aimed = { workspaceId, type: 'label', valueKey: labelId } as const;
      const { deletedCount } = await inboxFilters.deleteMany(aimed, timeLimit(budget));
      return deletedCount;
    },
  };
}

async function written(write: () => Promise<Stored>): Promise<Written> {
  try {
    const filter = await write();
    return filter ? { filter } : 'missing';
  } catch (error) {
    if (isDuplicate(error, VALUE_INDEX)) return 'duplicate';
    throw error;
  }
}
