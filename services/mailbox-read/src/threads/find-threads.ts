import type { Query } from '@postroom/mail-store/filter-tree/query';
import type { RawListItem } from '@postroom/mail-store/raw/raw-list-item';
import { readListProjection } from '@postroom/mail-store/list-projection';
import type { Call } from '@postroom/rpc/call';
import type { Position } from '../cursors/cursors.ts';
import { readIfFew, weightOf, type PageStore } from '../pages/paging.ts';
import { foundThread, order, type FoundThread, type Listing } from './thread-position.ts';
import type { Member, ThreadKey, ThreadListStore } from './thread-list-store.ts';

export interface Asked {
  /** Of the emails that a thread needs one of. */
  query: Query;
  /** The part of the query that names mailboxes. */
  mailboxes: Query;
  listing: Listing;
  count: number;
}

interface Stores {
  pages: PageStore;
  threads: ThreadListStore;
}

interface Found {
  found: FoundThread[];
  /** The position at which the scan stopped. Later emails were not read. */
  stoppedAt?: Position['after'];
}

interface Candidate extends ThreadKey {
  at: NonNullable<Position['after']>;
}

/** Emails of one call: those that it scans, and those of the threads that it finds. */
const MOST_SCANNED = 1_000;
export const MOST_MEMBERS = 10_000;
const SHORTEST_STRETCH = 50;

/** So few emails match that all their threads are read and put in order. Otherwise null. */
export async function fewThreads({ query, listing, count }: Asked, stores: Stores, call: Call): Promise<Found | null> {
  const items = await readIfFew(query, MOST_SCANNED, stores.pages, call);
  if (!items) return null;
  const keys = items.flatMap(candidateOf);
  const members = await membersOf(keys, MOST_MEMBERS, stores.threads, call);
  if (!members) return null;
  const all = [...members].flatMap(([, some]) => foundThread(keyOf(some), some, listing) ?? []);
  const behind = all.filter(({ at }) => !listing.after || order(at, listing.after) > 0);
  return { found: behind.toSorted((one, other) => order(one.at, other.at)).slice(0, count) };
}

/** Scans all emails, the newest first. A thread is where its newest email is. */
export async function scanThreads({ query, mailboxes, listing, count }: Asked, stores: Stores, call: Call) {
  const found: FoundThread[] = [];
  let from = listing.after;
  for (let left = MOST_SCANNED; left > 0;) {
    const length = Math.min(left, Math.max(SHORTEST_STRETCH, 2 * (count - found.length)));
    left -= length;
    const items = await stores.pages.newest(call.workspaceId, mailboxes, { after: from }, length, call);
    const candidates = items.flatMap(candidateOf);
    const here = await threadsAt(candidates, { query: query === mailboxes ? null : query, listing }, stores, call);
    found.push(...here.found);
    if (here.stoppedAt) return { found, stoppedAt: here.stoppedAt };
    const last = items.at(-1);
    if (items.length < length || !last) return { found };
    from = { date: new Date(last.date), id: last.id };
    if (found.length >= count) break;
  }
  return { found, stoppedAt: from };
}

interface Wanted {
  /** Null where every email matches. */
  query: Query | null;
  listing: Listing;
}

/** The threads whose position is one of these. */
async function threadsAt(candidates: Candidate[], wanted: Wanted, { threads }: Stores, call: Call): Promise<Found> {
  if (candidates.length === 0) return { found: [] };
  const most = Math.floor(MOST_MEMBERS / (wanted.query ? weightOf(wanted.query) : 1));
  const members = await membersOf(candidates, most, threads, call);
  if (!members) return eachAt(candidates, most, wanted, threads, call);
  const found = candidates.flatMap((candidate) => {
    const thread = foundThread(candidate, members.get(nameOf(candidate)) ?? [], wanted.listing);
    return thread?.at.id === candidate.at.id ? [thread] : [];
  });
  return { found: await matching(found, most, wanted, threads, call) };
}

/** One by one, up to the first that has too many emails for the rest of this call. */
async function eachAt(
  candidates: Candidate[],
  most: number,
  wanted: Wanted,
  threads: ThreadListStore,
  call: Call,
): Promise<Found> {
  const { workspaceId } = call;
  const found: FoundThread[] = [];
  let left = most;
  for (const candidate of candidates) {
    const newest = await threads.newestMembers(workspaceId, candidate, 1, call);
    const isOther = newest[0]?._id !== candidate.at.id && newest[0] && isCertain(newest[0], wanted.listing);
    if (isOther) continue;
    const members = await threads.newestMembers(workspaceId, candidate, most, call);
    const thread = foundThread(candidate, members, wanted.listing);
    left -= members.length;
    if (thread?.at.id === candidate.at.id) found.push(...(await matching([thread], 1, wanted, threads, call)));
    if (left <= 0) return { found, stoppedAt: candidate.at };
  }
  return { found };
}

const isCertain = ({ receivedAt }: Member, { after, lateAfter }: Listing) =>
  !after || receivedAt.getTime() <= lateAfter;

async function matching(
  found: FoundThread[],
  most: number,
  { query }: Wanted,
  threads: ThreadListStore,
  call: Call,
): Promise<FoundThread[]> {
  if (!query || found.length === 0) return found;
  const keys = await threads.matching(call.workspaceId, found, query, most, call);
  const names = new Set(keys.map(nameOf));
  return found.filter((thread) => names.has(nameOf(thread)));
}

/** By the name of their thread; null where there are more than so many. */
async function membersOf(keys: readonly ThreadKey[], most: number, threads: ThreadListStore, call: Call) {
  if (keys.length === 0) return new Map<string, Member[]>();
  const members = await threads.members(call.workspaceId, keys, most + 1, call);
  if (members.length > most) return null;
  const byName = new Map<string, Member[]>();
  for (const member of members) {
    const some = byName.get(nameOf(member));
    if (some) some.push(member);
    else byName.set(nameOf(member), [member]);
  }
  return byName;
}

function candidateOf(item: RawListItem): Candidate[] {
  const { id, mailboxId, threadId } = readListProjection(item.rendered);
  return threadId ? [{ mailboxId, threadId, at: { date: new Date(item.date), id } }] : [];
}

const nameOf = ({ mailboxId, threadId }: ThreadKey): string => `${mailboxId} ${threadId}`;

function keyOf([first]: readonly Member[]): ThreadKey {
  return { mailboxId: first?.mailboxId ?? '', threadId: first?.threadId ?? '' };
}
