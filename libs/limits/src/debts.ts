import type { Clock } from '@postroom/runtime/clock';
import type { CounterReading } from './counter-store.ts';
import type { MemoryCounters } from './memory-counters.ts';
import type { Debt } from './redis-counters.ts';
import { MINUTE_MS, minuteIsOpen } from './windows.ts';

/** The count of a call. `month` is set when its units belong to that month alone. */
export interface Addition {
  count: number;
  used: number;
  month?: number | undefined;
}

/** The local counts that Redis does not have yet, by workspace. */
export interface Debts {
  addUnsynced(workspaceId: string, reading: CounterReading, adds: Addition): void;
  /** Puts back what could not be handed over. */
  restore(workspaceId: string, debt: Debt): void;
  /** Removes the pending counts of a workspace, and returns them as arguments of the script; zero when there are none. */
  take(workspaceId: string): Debt;
  size(): number;
}

interface UnsyncedUsage {
  count: number;
  used: number;
  monthEnds: number;
}

export function createDebts(memory: MemoryCounters, clock: Pick<Clock, 'now'>): Debts {
  const unsynced = new Map<string, UnsyncedUsage>();

  const add = (workspaceId: string, monthEnds: number, count: number, used: number): void => {
    const before = unsynced.get(workspaceId);
    // The units of a past month are not needed: its count is final.
    const usedBefore = before?.monthEnds === monthEnds ? before.used : 0;
    unsynced.set(workspaceId, { count: (before?.count ?? 0) + count, used: usedBefore + used, monthEnds });
  };

  return {
    size: () => unsynced.size,
    addUnsynced: (workspaceId, { counters: { monthEnds } }, { count, used, month = monthEnds }) =>
      add(workspaceId, monthEnds, count, month === monthEnds ? used : 0),
    restore: (workspaceId, debt) => {
      if (debt.count !== 0 || debt.used !== 0) add(workspaceId, debt.monthEnds, debt.count, debt.used);
    },
    take: (workspaceId) => {
      const debt = unsynced.get(workspaceId);
      unsynced.delete(workspaceId);
      const now = clock.now();
      const counters = memory.countersOf(workspaceId);
      const open = minuteIsOpen(counters, now);
      const units = debt?.monthEnds === counters.monthEnds ? debt.used : 0;
      // Requests of a window that is over are at an end too; what is left of them is at most the window's count.
      const requests = open ? Math.min(debt?.count ?? 0, counters.count) : 0;
      return {
        minuteLeft: open ? counters.opened + MINUTE_MS - now : 0,
        countBefore: open ? counters.count - requests : 0,
        count: requests,
        monthEnds: counters.monthEnds,
        born: counters.born,
        usedBefore: Math.max(0, counters.used - units),
        used: units,
      };
    },
  };
}
