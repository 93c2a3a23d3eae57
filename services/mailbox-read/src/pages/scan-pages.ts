import { every, type Query } from '@postroom/mail-store/filter-tree/query';
import type { RawListItem } from '@postroom/mail-store/raw/raw-list-item';
import type { Call } from '@postroom/rpc/call';
import type { Position } from '../cursors/cursors.ts';
import { indexPathsOf, type IndexPath } from './index-paths.ts';
import type { PageStore, PositionRange } from './page-store.ts';

type After = Position['after'];

/** The number of emails that one call may still read. */
interface Effort {
  emails: number;
}

interface Found {
  items: RawListItem[];
  /** The position at which the scan stopped. Later emails were not read. */
  stoppedAt?: { after: After };
}

/** So that a call that finds nothing costs a few times what a plain page costs, and not dozens of times. */
const MOST_EMAILS = 1_000;
/** An email with more text searches than this counts as several. */
const TEXT_SEARCHES = 50;
/** The text of an email is so many times longer than its subject and people. */
const LONG_TEXT = 10;
/** In the first range, for each email that is wanted; every further range is as many times longer. */
const FIRST_RANGE = 4;

export const freshEffort = (): Effort => ({ emails: MOST_EMAILS });

/**
 * The newest emails after a position that match a query. A query without an exact index is scanned in ranges. Each
 * range ends where the best index leads, so that no call reads a whole mailbox in vain.
 */
export async function scanPages(
  query: Query,
  after: After,
  count: number,
  effort: Effort,
  pages: PageStore,
  call: Call,
): Promise<Found> {
  const { isExact, paths } = indexPathsOf(query);
  if (isExact) return { items: await pages.newest(call.workspaceId, query, { after }, count, call) };
  const weight = weightOf(query);
  const items: RawListItem[] = [];
  let from = after;
  for (let length = count * FIRST_RANGE; effort.emails >= weight; length *= FIRST_RANGE) {
    const emails = Math.min(length, Math.floor(effort.emails / weight));
    effort.emails -= emails * weight;
    const { until, path } = await endOfRange(paths, from, emails, pages, call);
    const range = { after: from, until };
    items.push(...(await readRange(query, path, range, count - items.length, pages, call)));
    if (items.length === count || until === null) return { items };
    from = until;
  }
  return { items, stoppedAt: { after: from } };
}

/** All the emails that match a query, if one of its leads has no more than so many emails; null otherwise. */
export async function readIfFew(query: Query, most: number, pages: PageStore, call: Call) {
  const { until, path } = await endOfRange(
    indexPathsOf(query).paths,
    null,
    Math.floor(most / weightOf(query)),
    pages,
    call,
  );
  return until === null ? readRange(query, path, { after: null }, most, pages, call) : null;
}

/** The emails that one email counts for, by the text searches in a query. */
export function weightOf(query: Query): number {
  return Math.max(1, textSearchesIn(query) / TEXT_SEARCHES);
}

/** The oldest position that a lead reaches with so many emails, null for the end; and that lead. */
async function endOfRange(paths: IndexPath[], from: After, emails: number, pages: PageStore, call: Call) {
  const ends = await Promise.all(
    paths.map(async (path) => {
      const each = Math.ceil(emails / path.length);
      const positions = path.map((part) => pages.positionAfter(call.workspaceId, part, from, each, call));
      return { path, until: newestOf(await Promise.all(positions)) };
    }),
  );
  const [furthest] = ends.toSorted((one, other) => fromNewest(other.until, one.until));
  return furthest ?? { path: [], until: null };
}

/** Alternatives are asked for one by one: few servers see that an index leads to each of them. */
async function readRange(
  query: Query,
  path: IndexPath,
  range: PositionRange,
  count: number,
  pages: PageStore,
  call: Call,
): Promise<RawListItem[]> {
  const queries = path.length < 2 ? [query] : path.map((part) => every([part, query]));
  const found = await Promise.all(queries.map((one) => pages.newest(call.workspaceId, one, range, count, call)));
  if (found.length === 1) return found.flat();
  const byId = new Map(found.flat().map((item) => [item.id, item]));
  return [...byId.values()].toSorted(newestFirst).slice(0, count);
}

function newestFirst(one: RawListItem, other: RawListItem): number {
  return other.date - one.date || (one.id < other.id ? 1 : -1);
}

function newestOf(positions: After[]): After {
  return positions.toSorted(fromNewest)[0] ?? null;
}

/** A list that has ended comes last. */
function fromNewest(one: After, other: After): number {
  if (!one || !other) return Number(!one) - Number(!other);
  return other.date.getTime() - one.date.getTime() || (one.id < other.id ? 1 : -1);
}

function textSearchesIn(query: Query): number {
  const json = JSON.stringify(query);
  const timesOf = (piece: string) => json.split(piece).length - 1;
  return timesOf('"$indexOfCP"') + timesOf('"$folded.text"') * LONG_TEXT;
}
