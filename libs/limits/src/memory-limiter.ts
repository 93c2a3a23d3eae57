import type { Clock } from '@postroom/runtime/clock';
import type { Allowance, Limiter, Verdict } from './limiter.ts';
import { countersOf, type Counting, takeMinute, takeMonth } from './counting.ts';
import { verdictOf } from './windows.ts';

/** Limits of one process. The same arithmetic as the Redis script, which the contract test holds them both to. */
export function memoryLimiter(clock: Pick<Clock, 'now'>, state: Counting = new Map()): Limiter {
  const decide = (workspaceId: string, allowance: Allowance, requests: 0 | 1, units: number): Verdict => {
    const now = clock.now();
    const counters = countersOf(state, workspaceId, now);
    if (requests > 0 && !takeMinute(counters, allowance.perMinute, now)) {
      return verdictOf(counters, allowance, now, 'minute');
    }
    if (!takeMonth(counters, allowance.perMonth, units)) return verdictOf(counters, allowance, now, 'month');
    return verdictOf(counters, allowance, now);
  };

  return {
    admit: async (workspaceId, allowance) => decide(workspaceId, allowance, 1, 0),
    charge: async (workspaceId, allowance, units) => decide(workspaceId, allowance, 0, units),
    admitAndCharge: async (workspaceId, allowance, units) => decide(workspaceId, allowance, 1, units),
    refund: async (workspaceId, allowance, units, reservedUntil) => {
      const now = clock.now();
      const counters = countersOf(state, workspaceId, now);
      const sameMonth = reservedUntil === undefined || reservedUntil * 1000 === counters.monthEnds;
      if (sameMonth) counters.used = Math.max(0, counters.used - units);
      return verdictOf(counters, allowance, now);
    },
    close: async () => state.clear(),
  };
}
