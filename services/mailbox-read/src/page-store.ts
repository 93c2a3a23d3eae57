import type { Collections } from '@postroom/mail-store/collections';
import type { Position } from '@postroom/mail-store/cursor';
import { flatten, type Query } from '@postroom/mail-store/filter-tree/query';
import { readListItem, SHOWN_OF_LIST_ITEM, type RawListItem } from '@postroom/mail-store/raw-list-item';
import { timeLimit } from '@postroom/mail-store/time-limit';
import type { Call } from '@postroom/rpc/call';

export const NEWEST_FIRST = { date: -1, _id: -1 } as const;

export type PageStore = ReturnType<typeof createPageStore>;
type Patience = Pick<Call, 'remainingMs' | 'signal'>;

/** The hot path: list items by date, from the driver's own bytes; no document is ever decoded. */
export function createPageStore({ emails }: Collections) {
  return {
    /** The newest `count` emails behind a position. The database stops when the caller goes away or time is up. */
    async newest(
      workspaceId: string,
      query: Query,
      after: Position['after'],
      count: number,
      call: Patience,
    ): Promise<RawListItem[]> {
      const found = await emails.collection
        .find(pageQuery(workspaceId, query, after), {
          projection: SHOWN_OF_LIST_ITEM,
          sort: NEWEST_FIRST,
          limit: count,
          batchSize: count,
          raw: true,
          signal: call.signal,
          ...timeLimit(call),
        })
        .toArray();
      return (found as unknown as Uint8Array[]).map(readListItem);
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
