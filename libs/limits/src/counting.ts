import { type Counters, endOfMonth, freshCounters, minuteIsOpen } from './windows.ts';

/** The counters of the workspaces seen lately. A map keeps insertion order, which is what makes it an LRU here. */
export type Counting = Map<string, Counters>;

/** Enough for every workspace that is active at once on one gateway (about 10 MB); the longest idle goes first. */
const MOST_WORKSPACES = 100_000;

/** The workspace's counters, brought up to now: a month that is over counts nothing. */
export function countersOf(state: Counting, workspaceId: string, now: number): Counters {
  const known = state.get(workspaceId) ?? freshCounters(now);
  if (now >= known.monthEnds) Object.assign(known, { used: 0, monthEnds: endOfMonth(now) });
  keep(state, workspaceId, known);
  return known;
}

/** Puts the workspace last in line for being forgotten. */
export function keep(state: Counting, workspaceId: string, counters: Counters): void {
  state.delete(workspaceId);
  state.set(workspaceId, counters);
  if (state.size <= MOST_WORKSPACES) return;
  const idlest = state.keys().next().value;
  if (idlest !== undefined) state.delete(idlest);
}

/** Counts one request, unless the minute is full: a refused request leaves the count where it is. */
export function takeMinute(counters: Counters, limit: number, now: number): boolean {
  if (!minuteIsOpen(counters, now)) {
    counters.opened = now;
    counters.count = 0;
  }
  if (counters.count >= limit) return false;
  counters.count += 1;
  return true;
}

/** All or nothing: a charge that does not fit changes nothing. */
export function takeMonth(counters: Counters, quota: number, units: number): boolean {
  if (units > 0 && counters.used + units > quota) return false;
  counters.used += units;
  return true;
}
