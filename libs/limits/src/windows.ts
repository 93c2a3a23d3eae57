import type { Allowance, LimitDecision } from './limiter.ts';

export const MINUTE_MS = 60_000;

/** The counters of one workspace. Times are epoch milliseconds. `opened` 0 means that no minute was ever opened. */
export interface Counters {
  opened: number;
  count: number;
  monthEnds: number;
  used: number;
  /** The microsecond in which the key that counts was made; another one, and the key before was lost. 0 where it counts in this process. */
  born: number;
}

/** The start of the next month, UTC: the moment at which a quota is whole again. */
export function endOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

export function freshCounters(now: number): Counters {
  return { opened: 0, count: 0, monthEnds: endOfMonth(now), used: 0, born: 0 };
}

/** A distance rather than "later than": a clock that was far ahead and has been put right must not lock anyone out. */
export function minuteIsOpen(counters: Counters, now: number): boolean {
  return Math.abs(now - counters.opened) < MINUTE_MS;
}

/** Every decision, local or from Redis, becomes a verdict here, so that the headers cannot differ between the two. */
export function verdictOf(
  counters: Counters,
  allowance: Allowance,
  now: number,
  refusedBy?: 'minute' | 'month',
): LimitDecision {
  const open = minuteIsOpen(counters, now);
  const minuteEnds = (open ? counters.opened : now) + MINUTE_MS;
  const verdict: LimitDecision = {
    allowed: refusedBy === undefined,
    minute: {
      limit: allowance.perMinute,
      remaining: Math.max(0, allowance.perMinute - (open ? counters.count : 0)),
      resetAt: Math.ceil(minuteEnds / 1000),
    },
    month: {
      quota: allowance.perMonth,
      used: counters.used,
      remaining: Math.max(0, allowance.perMonth - counters.used),
      resetAt: Math.ceil(counters.monthEnds / 1000),
    },
  };
  if (refusedBy === undefined) return verdict;
  const ends = refusedBy === 'minute' ? minuteEnds : counters.monthEnds;
  return { ...verdict, refusedBy, retryAfter: Math.max(1, Math.ceil((ends - now) / 1000)) };
}
