import { hash } from 'node:crypto';
import type { EarlierPages, Position } from '../cursors/cursors.ts';
import type { Member, ThreadKey } from './thread-list-store.ts';

type Point = NonNullable<Position['after']>;

/** One reading of all pages: where the next page begins, and what the earlier ones have shown. */
export interface Listing {
  after: Position['after'];
  lateAfter: number;
  shown: ReadonlySet<string>;
}

/** A thread on a page: its emails, the newest first, and the one that gives it its position. */
export interface FoundThread extends ThreadKey {
  members: Member[];
  at: Point;
}

/** Longer than an email is on its way into the database, and than clocks differ. */
const ARRIVING_MS = 30_000;
const HASH_LENGTH = 8;
/** Each of these has several emails and got the newest of them while the pages were read, or just before. */
const MOST_SHOWN = 400;

export function listingAt({ after, earlier }: Position, now: number): Listing {
  return { after, lateAfter: earlier?.lateAfter ?? now - ARRIVING_MS, shown: new Set(earlier?.shown) };
}

/**
 * The thread at its newest email. While pages are read, new mail moves no thread: on a later page, an email counts that
 * is behind the cursor, or that was there for certain when the earlier pages were read.
 */
export function foundThread(key: ThreadKey, members: readonly Member[], listing: Listing): FoundThread | undefined {
  const { after, lateAfter } = listing;
  if (listing.shown.has(hashOf(key))) return undefined;
  const sorted = members.toSorted((one, other) => order(positionOf(one), positionOf(other)));
  const newest = sorted.find(
    (member) => !after || member.receivedAt.getTime() <= lateAfter || order(positionOf(member), after) > 0,
  );
  return newest && { mailboxId: key.mailboxId, threadId: key.threadId, members: sorted, at: positionOf(newest) };
}

/** The state for the next page, which begins behind `end`. */
export function earlierPages({ lateAfter, shown }: Listing, page: readonly FoundThread[], end: Point): EarlierPages {
  const again = page.filter(({ members, at }) => {
    const isLate = members.some(({ _id, receivedAt }) => _id === at.id && receivedAt.getTime() > lateAfter);
    return isLate && members.some((member) => order(positionOf(member), end) > 0);
  });
  return { lateAfter, shown: [...shown, ...again.map(hashOf)].slice(-MOST_SHOWN) };
}

const positionOf = ({ date, _id }: Pick<Member, 'date' | '_id'>): Point => ({ date, id: _id });

/** The newest first. */
export function order(one: Point, other: Point): number {
  return other.date.getTime() - one.date.getTime() || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

function hashOf({ mailboxId, threadId }: ThreadKey): string {
  return hash('sha256', `${mailboxId} ${threadId}`, 'base64url').slice(0, HASH_LENGTH);
}
