import type { Reads } from '@postroom/mail-store/access';
import { flatten, type Query } from '@postroom/mail-store/filter-tree/query';
import { NEWEST_FIRST } from '@postroom/mail-store/indexes';
import { readListItem, SHOWN_OF_LIST_ITEM, type RawListItem } from '@postroom/mail-store/raw/raw-list-item';
import { timeLimit } from '@postroom/mail-store/time-limit';
import { findRaw } from '@postroom/mail-store/raw/raw-find';
import type { Call } from '@postroom/rpc/call';
import type { Position } from '../cursors/cursors.ts';

export type PageStore = ReturnType<typeof createPageStore>;
const POSITION = { _id: 1, date: 1 } as const;

/** The emails after one position, up to and including another. */
export interface PositionRange {
  after: Position['after'];
  until?: Position['after'];
}
type TimeBudget = Pick<Call, 'remainingMs' | 'signal'>;

/** The hot path: list items by date, from the database's own bytes; no document is ever decoded. */
export function createPageStore({ emails }: Reads<'emails'>) {
  return {
    /** The newest `count` emails of a range of positions. The database stops when the caller leaves or the time is up. */
    newest(
      workspaceId: string,
      query: Query,
      range: PositionRange,
      count: number,
      call: TimeBudget,
    ): Promise<RawListItem[]> {
      return findRaw(
        emails,
        {
          filter: pageQuery(workspaceId, query, range),
          projection: SHOWN_OF_LIST_ITEM,
          sort: NEWEST_FIRST,
          limit: count,
        },
        readListItem,
        call,
      );
    },

    /** The position of the `count`-th email after a position; null when there are fewer. An index answers it alone. */
    async positionAfter(
      workspaceId: string,
      query: Query,
      after: Position['after'],
      count: number,
      call: TimeBudget,
    ): Promise<Position['after']> {
      const [email] = await emails.collection
        .find(pageQuery(workspaceId, query, { after }), {
          projection: POSITION,
          signal: call.signal,
          ...timeLimit(call),
        })
        .sort(NEWEST_FIRST)
        .skip(count - 1)
        .limit(1)
        .toArray();
      return email ? { date: email.date as Date, id: String(email._id) } : null;
    },
  };
}

/**
 * The emails of a range of positions. The bounds on the date are at the top level, because an index can seek to them. The tie-breaks
 * apply to the few emails of that millisecond.
 */
export function pageQuery(workspaceId: string, query: Query, { after, until = null }: PositionRange): Query {
  const date = { ...(after && { $lte: after.date }), ...(until && { $gte: until.date }) };
  return flatten([
    { workspaceId },
    ...(after || until ? [{ date }] : []),
    ...(after ? [{ $or: [{ date: { $lt: after.date } }, { date: after.date, _id: { $lt: after.id } }] }] : []),
    ...(until ? [{ $or: [{ date: { $gt: until.date } }, { date: until.date, _id: { $gte: until.id } }] }] : []),
    query,
  ]);
}
