import type { Reads, Writes } from '@postroom/mail-store/access';
import type { ChangeDocument } from '@postroom/mail-store/documents/change';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { QUERY_LIMIT, timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type FeedStore = ReturnType<typeof createFeedStore>;

export type Numbered = Omit<ChangeDocument, 'workspaceId'>;

const PAST = new Date(0);
/** A change that a failover could take back must not be seen: its number would mean another one later. */
const MAJORITY = { readConcern: { level: 'majority' } } as const;

/** The feed of each workspace. Nothing else knows that its numbers are dense. */
export function createFeedStore({ changes }: Writes<'changes'>) {
  return {
    /** The number of the newest change, 0 before the first. */
    head: (workspaceId: string): Promise<number> => newest({ changes }, workspaceId, {}),

    /** The number of the newest change that may be seen. A position behind it would miss another change of its number. */
    visibleHead: (workspaceId: string): Promise<number> => newest({ changes }, workspaceId, MAJORITY),

    /** The numbers of those of these ids that have one already. */
    async known(workspaceId: string, ids: readonly string[]): Promise<Map<string, number>> {
      const found = await changes
        .find({ workspaceId, _id: { $in: [...ids] } }, { seq: 1 }, QUERY_LIMIT)
        .lean<Pick<ChangeDocument, '_id' | 'seq'>[]>();
      return new Map(found.map(({ _id, seq }) => [_id, seq]));
    },

    /** The last word on a fact, another than that of one change. */
    last(workspaceId: string, aspect: string, exceptId: string): Promise<ChangeDocument | null> {
      return changes
        .findOne({ workspaceId, aspects: aspect, _id: { $ne: exceptId } }, null, QUERY_LIMIT)
        .sort({ seq: -1 })
        .lean<ChangeDocument | null>();
    },

    /** In their order, up to the first whose number or id is taken: false where there is one. */
    async append(workspaceId: string, documents: readonly Numbered[]): Promise<boolean> {
      try {
        await changes.collection.insertMany(documents.map((document) => ({ ...document, workspaceId })) as never[], {
          ordered: true,
        });
        return true;
      } catch (error) {
        if (isAnyDuplicate(error)) return false;
        throw error;
      }
    },

    ...pages({ changes }),

    ...acrossWorkspaces({ changes }),
  };
}

async function newest({ changes }: Reads<'changes'>, workspaceId: string, options: object): Promise<number> {
  const found = await changes
    .findOne({ workspaceId }, { seq: 1 }, { ...QUERY_LIMIT, ...options })
    .sort({ seq: -1 })
    .lean<Pick<ChangeDocument, 'seq'> | null>();
  return found?.seq ?? 0;
}

function pages({ changes }: Writes<'changes'>) {
  return {
    page(workspaceId: string, after: number, limit: number, budget: TimeBudget): Promise<ChangeDocument[]> {
      return changes
        .find({ workspaceId, seq: { $gt: after } }, null, { ...timeLimit(budget), ...MAJORITY })
        .sort({ seq: 1 })
        .limit(limit)
        .lean<ChangeDocument[]>();
    },
  };
}

/** For those who wait in any workspace, and for trimming. */
function acrossWorkspaces({ changes }: Writes<'changes'>) {
  return {
    /** The change right behind each of these positions, where there is one that may be seen. */
    everyWorkspacesNext(
      positions: readonly { workspaceId: string; after: number }[],
    ): Promise<Pick<ChangeDocument, 'workspaceId' | 'seq'>[]> {
      const next = positions.map(({ workspaceId, after }) => ({ workspaceId, seq: after + 1 }));
      return changes
        .find({ $or: next }, { _id: 0, workspaceId: 1, seq: 1 }, { ...QUERY_LIMIT, ...MAJORITY })
        .lean<Pick<ChangeDocument, 'workspaceId' | 'seq'>[]>();
    },

    everyWorkspacesOldest(before: Date, limit: number): Promise<Pick<ChangeDocument, 'workspaceId' | 'seq'>[]> {
      return changes
        .find(
          { appendedAt: { $gt: PAST, $lt: before } },
          { _id: 0, workspaceId: 1, seq: 1, appendedAt: 1 },
          QUERY_LIMIT,
        )
        .sort({ appendedAt: 1 })
        .limit(limit)
        .lean<Pick<ChangeDocument, 'workspaceId' | 'seq'>[]>();
    },

    async trim(workspaceId: string, upTo: number): Promise<number> {
      return (await changes.deleteMany({ workspaceId, seq: { $lte: upTo } }, QUERY_LIMIT)).deletedCount;
    },

    /** It carries the number on, and is not found for trimming any more: it goes with those behind it. */
    async keep(workspaceId: string, seq: number): Promise<void> {
      await changes.updateOne({ workspaceId, seq }, { $unset: { appendedAt: '' } }, QUERY_LIMIT);
    },
  };
}
