import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import type { DayCountsDocument } from './documents/usage.ts';
import { USAGE_KEPT_MS } from './kept-for.ts';

export interface DayCountsStore {
  /** Raises the counts of each document to these values, and makes those that are missing. Safe to repeat. */
  keepAll(documents: readonly DayCountsDocument[]): Promise<void>;
}

export interface DayCounts {
  /** No two workspaces have a subject in common. */
  add(workspaceId: string, subject: string, name: string, amount: number): void;
  /** Stores what was counted since the last flush. Where the store fails, the next flush stores it. */
  flush(): Promise<void>;
}

interface Entry extends Pick<DayCountsDocument, '_id' | 'workspaceId' | 'subject' | 'day'> {
  counts: Map<string, number>;
  unsaved: Set<string>;
}

const DAY_MS = 86_400_000;
const AT_ONCE = 500;
/** Beyond it the entries of idle subjects are let go. Each has some twenty numbers, so this is about 10 MB. */
const MOST_ENTRIES = 5_000;

/**
 * Counts in memory, by subject, day and name. A document belongs to one entry of one process, and holds its totals of the
 * day, so nothing is counted twice, however often and late a write arrives. A process that is killed loses what it has
 * counted since its last flush.
 */
export function createDayCounts(
  store: DayCountsStore,
  { clock, ids }: { clock: Pick<Clock, 'now'>; ids: Ids },
): DayCounts {
  let entries = new Map<string, Entry>();
  let today = 0;
  /** Entries of days that are over, until they are stored. */
  let past: Entry[] = [];

  const entryOf = (workspaceId: string, subject: string): Entry => {
    const day = Math.floor(clock.now() / DAY_MS);
    if (day !== today) {
      past.push(...entries.values());
      entries = new Map();
      today = day;
    }
    const known = entries.get(subject);
    if (known) return known;
    const entry = {
      _id: ids('cnt'),
      workspaceId,
      subject,
      day: new Date(day * DAY_MS),
      counts: new Map(),
      unsaved: new Set<string>(),
    };
    entries.set(subject, entry);
    return entry;
  };

  return {
    add(workspaceId, subject, name, amount) {
      const { counts, unsaved } = entryOf(workspaceId, subject);
      counts.set(name, (counts.get(name) ?? 0) + amount);
      unsaved.add(name);
    },

    async flush() {
      const all = [...past, ...entries.values()].filter(isUnsaved);
      for (let from = 0; from < all.length; from += AT_ONCE) await keep(store, all.slice(from, from + AT_ONCE));
      past = past.filter(isUnsaved);
      // An entry that comes back has another document, so that its totals begin anew.
      if (entries.size > MOST_ENTRIES) entries = new Map([...entries].filter(([, entry]) => isUnsaved(entry)));
    },
  };
}

const isUnsaved = ({ unsaved }: Entry): boolean => unsaved.size > 0;

async function keep(store: DayCountsStore, batch: readonly Entry[]): Promise<void> {
  const taken = batch.map((entry) => {
    const names = [...entry.unsaved];
    // Calls that are counted during the write are unsaved again.
    entry.unsaved.clear();
    return { entry, names };
  });
  try {
    await store.keepAll(taken.map(({ entry, names }) => documentOf(entry, names)));
  } catch (error) {
    for (const { entry, names } of taken) for (const name of names) entry.unsaved.add(name);
    throw error;
  }
}

function documentOf({ _id, workspaceId, subject, day, counts }: Entry, names: readonly string[]): DayCountsDocument {
  return {
    _id,
    workspaceId,
    subject,
    day,
    counts: Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0])),
    expiresAt: new Date(day.getTime() + DAY_MS + USAGE_KEPT_MS),
  };
}
