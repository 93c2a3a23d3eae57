import type { Clock } from '@postroom/runtime/clock';
import type { CounterStore, CounterReading } from './counter-store.ts';
import { type Counters, endOfMonth, freshCounters, minuteIsOpen } from './windows.ts';

/** Enough for all active workspaces of one gateway (about 10 MB). The longest idle is evicted first. */
const MOST_WORKSPACES = 100_000;

/** Counters of one process. The same arithmetic as the Redis script; the contract test holds them both to it. */
export interface MemoryCounters extends CounterStore {
  /** Replaces what is known of a workspace by what another store, with a clock of its own, has counted. */
  learn(workspaceId: string, reading: CounterReading): void;
  /** The workspace's counters, brought up to now, and the same object on every call. */
  countersOf(workspaceId: string): Counters;
  known(): string[];
}

export function memoryCounters(clock: Pick<Clock, 'now'>): MemoryCounters {
  // A map keeps the order of insertion, so it is an LRU when a used entry is inserted again.
  const state = new Map<string, Counters>();

  const keep = (workspaceId: string, counters: Counters): Counters => {
    state.delete(workspaceId);
    state.set(workspaceId, counters);
    const idlest = state.size > MOST_WORKSPACES ? state.keys().next().value : undefined;
    if (idlest !== undefined) state.delete(idlest);
    return counters;
  };
  const countersOf = (workspaceId: string): Counters => {
    const now = clock.now();
    const counters = state.get(workspaceId) ?? freshCounters(now);
    if (now >= counters.monthEnds) Object.assign(counters, { used: 0, monthEnds: endOfMonth(now) });
    return keep(workspaceId, counters);
  };
  /** A copy: the counters go on changing while the reading is on its way. */
  const reading = (counters: Counters, refusedBy?: CounterReading['refusedBy']): CounterReading => ({
    counters: { ...counters },
    now: clock.now(),
    ...(refusedBy && { refusedBy }),
  });

  return {
    countersOf,
    known: () => [...state.keys()],
    learn: (workspaceId, { counters, now }) => {
      // Only durations are used, because the other clock may differ by seconds.
      const opened = counters.opened === 0 ? 0 : counters.opened - now + clock.now();
      keep(workspaceId, { ...counters, opened });
    },
    take: async (workspaceId, allowance, requests, units) => {
      const counters = countersOf(workspaceId);
      if (requests > 0 && !takeMinute(counters, allowance.perMinute, clock.now())) return reading(counters, 'minute');
      if (!takeMonth(counters, allowance.perMonth, units)) return reading(counters, 'month');
      return reading(counters);
    },
    refund: async (workspaceId, units, reservedUntil) => {
      const counters = countersOf(workspaceId);
      const sameMonth = reservedUntil === undefined || reservedUntil === counters.monthEnds;
      if (sameMonth) counters.used = Math.max(0, counters.used - units);
      return reading(counters);
    },
    read: async (workspaceId) => reading(countersOf(workspaceId)),
    close: async () => state.clear(),
  };
}

/** Counts one request, unless the minute is full: a refused request leaves the count where it is. */
function takeMinute(counters: Counters, limit: number, now: number): boolean {
  if (!minuteIsOpen(counters, now)) Object.assign(counters, { opened: now, count: 0 });
  if (counters.count >= limit) return false;
  counters.count += 1;
  return true;
}

/** All or nothing: a charge that does not fit changes nothing. */
function takeMonth(counters: Counters, quota: number, units: number): boolean {
  if (units > 0 && counters.used + units > quota) return false;
  counters.used += units;
  return true;
}
