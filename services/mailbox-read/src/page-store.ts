import type { Collections } from '@postroom/mail-store/collections';
import type { Position } from '@postroom/mail-store/cursor';
import { flatten, type Query } from '@postroom/mail-store/filter-tree/query';
import { readListItem, SHOWN_OF_LIST_ITEM, type RawListItem } from '@postroom/mail-store/raw-list-item';
import { findRaw } from '@postroom/mail-store/raw-find';
import type { Call } from '@postroom/rpc/call';

export const NEWEST_FIRST = { date: -1, _id: -1 } as const;

export type PageStore = ReturnType<typeof createPageStore>;
type TimeBudget = Pick<Call, 'remainingMs' | 'signal'>;

/** The hot path: list items by date, from the database's own bytes; no document is ever decoded. */
export function createPageStore({ emails }: Collections) {
  return {
    /** The newest `count` emails behind a position. The database stops when the caller goes away or time is up. */
    newest(
      workspaceId: string,
      query: Query,
      after: Position['after'],
      count: number,
      call: TimeBudget,
    ): Promise<RawListItem[]> {
      return findRaw(
        emails,
        {
          filter: pageQuery(workspaceId, query, after),
          projection: SHOWN_OF_LIST_ITEM,
          sort: NEWEST_FIRST,
          limit: count,
        },
        readListItem,
        call,
      );
    },
  };
}

/**
 * Everything behind the position. The bound on the date stands alone at the top because it is what an index can
 * seek to; the tie-break is left to the few emails of that very millisecond.
 */
export function pageQuery(workspaceId: string, query: Query, after: Position['after']): Query {
  if (!after) return flatten([{ workspaceId }, query]);
  const { date, id } = after;
  const behind = { date: { $lte: date }, $or: [{ date: { $lt: date } }, { date, _id: { $lt: id } }] };
  return flatten([{ workspaceId }, behind, query]);
}
