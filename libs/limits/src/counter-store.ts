import type { Allowance, Limiter, LimitDecision } from './limiter.ts';
import { type Counters, verdictOf } from './windows.ts';

/** The counters right after an operation, by the clock of the store that counts. */
export interface CounterReading {
  counters: Counters;
  now: number;
  refusedBy?: 'minute' | 'month';
}

/** The counters. All stores share one limiter, so that verdicts cannot differ between them. */
export interface CounterStore {
  take(workspaceId: string, allowance: Allowance, requests: 0 | 1, units: number): Promise<CounterReading>;
  /** `reservedUntil` in epoch milliseconds; without it the units are of the month that is now. */
  refund(workspaceId: string, units: number, reservedUntil?: number): Promise<CounterReading>;
  read(workspaceId: string): Promise<CounterReading>;
  close(): Promise<void>;
}

export function limiterOn(store: CounterStore): Limiter {
  const verdict = (allowance: Allowance, { counters, now, refusedBy }: CounterReading): LimitDecision =>
    verdictOf(counters, allowance, now, refusedBy);
  return {
    admit: async (id, allowance) => verdict(allowance, await store.take(id, allowance, 1, 0)),
    charge: async (id, allowance, units) => verdict(allowance, await store.take(id, allowance, 0, units)),
    admitAndCharge: async (id, allowance, units) => verdict(allowance, await store.take(id, allowance, 1, units)),
    refund: async (id, allowance, units, reservedUntil) =>
      verdict(allowance, await store.refund(id, units, reservedUntil === undefined ? undefined : reservedUntil * 1000)),
    read: async (id, allowance) => verdict(allowance, await store.read(id)),
    close: () => store.close(),
  };
}
