import { every, type Query } from '@postroom/mail-store/filter-tree/query';
import type { RawListItem } from '@postroom/mail-store/raw/raw-list-item';
import type { Call } from '@postroom/rpc/call';
import type { Position } from '../cursors/cursors.ts';
import { leadsOf, type Lead } from './leads.ts';
import type { PageStore, Stretch } from './page-store.ts';

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
/** In the first stretch, for each email that is wanted; every further stretch is as many times longer. */
const STRETCH = 4;

export const freshEffort = (): Effort => ({ emails: MOST_EMAILS });

/**
 * The newest emails after a position that match a query. A query without an exact index is scanned in stretches. Each
 * stretch ends where the best index leads, so that no call reads a whole mailbox in vain.
 */
export async function scanPages(
  query: Query,
  after: After,
  count: number,
  effort: Effort,
  pages: PageStore,
  call: Call,
): Promise<Found> {
  const { isExact, leads } = leadsOf(query);
  if (isExact) return { items: await pages.newest(call.workspaceId, query, { after }, count, call) };
  const weight = weightOf(query);
  const items: RawListItem[] = [];
  let from = after;
  for (let length = count * STRETCH; effort.emails >= weight; length *= STRETCH) {
    const emails = Math.min(length, Math.floor(effort.emails / weight));
    effort.emails -= emails * weight;
    const { until, lead } = await endOfStretch(leads, from, emails, pages, call);
    const stretch = { after: from, until };
    items.push(...(await readStretch(query, lead, stretch, count - items.length, pages, call)));
    if (items.length === count || until === null) return { items };
    from = until;
  }
  return { items, stoppedAt: { after: from } };
}

/** All the emails that match a query, if one of its leads has no more than so many emails; null otherwise. */
export async function readIfFew(query: Query, most: number, pages: PageStore, call: Call) {
  const { until, lead } = await endOfStretch(
    leadsOf(query).leads,
    null,
    Math.floor(most / weightOf(query)),
    pages,
    call,
  );
  return until === null ? readStretch(query, lead, { after: null }, most, pages, call) : null;
}

/** The emails that one email counts for, by the text searches in a query. */
export function weightOf(query: Query): number {
  return Math.max(1, textSearchesIn(query) / TEXT_SEARCHES);
}

/** The oldest position that a lead reaches with so many emails, null for the end; and that lead. */
async function endOfStretch(leads: Lead[], from: After, emails: number, pages: PageStore, call: Call) {
  const ends = await Promise.all(
    leads.map(async (lead) => {
      const each = Math.ceil(emails / lead.length);
      const positions = lead.map((part) => pages.positionAfter(call.workspaceId, part, from, each, call));
      return { lead, until: newestOf(await Promise.all(positions)) };
    }),
  );
  const [furthest] = ends.toSorted((one, other) => fromNewest(other.until, one.until));
  return furthest ?? { lead: [], until: null };
}

/** Alternatives are asked for one by one: few servers see that an index leads to each of them. */
async function readStretch(
  query: Query,
  lead: Lead,
  stretch: Stretch,
  count: number,
  pages: PageStore,
  call: Call,
): Promise<RawListItem[]> {
  const queries = lead.length < 2 ? [query] : lead.map((part) => every([part, query]));
  const found = await Promise.all(queries.map((one) => pages.newest(call.workspaceId, one, stretch, count, call)));
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
