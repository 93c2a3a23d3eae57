import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { repeat } from '@postroom/runtime/repeat';
import type { Counters } from './windows.ts';

/** A lower bound of a month's usage, and its key. */
export type MonthFloor = Pick<Counters, 'monthEnds' | 'used' | 'born'>;

/** The store of the lower bounds. It outlives Redis and every gateway. */
export interface FloorStore {
  keepAll(floors: readonly (MonthFloor & { workspaceId: string })[]): Promise<void>;
  /** The highest of that month under any other key than this one. */
  highest(workspaceId: string, month: Pick<MonthFloor, 'monthEnds' | 'born'>): Promise<MonthFloor | undefined>;
}

export interface MonthFloors {
  note(workspaceId: string, counters: Counters): void;
  /** Undefined when no bound is known, or the store is unavailable. */
  find(workspaceId: string, month: Pick<MonthFloor, 'monthEnds' | 'born'>): Promise<MonthFloor | undefined>;
  close(): Promise<void>;
}

export const noFloors: MonthFloors = {
  note: () => undefined,
  find: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
};

interface Options {
  store: FloorStore;
  clock: Pick<Clock, 'sleep'>;
  log: Log;
}

/** The usage that may be lost when Redis and every gateway lose their memory at once. */
const EVERY_MS = 5_000;
const AT_ONCE = 500;

/** Keeps every few seconds what has been charged since. A count that could not be kept is kept with the next. */
export function keepFloors({ store, clock, log }: Options): MonthFloors {
  const changed = new Map<string, Counters>();

  const flush = async (): Promise<void> => {
    while (changed.size > 0) {
      const batch = [...changed].slice(0, AT_ONCE);
      await store.keepAll(
        batch.map(([workspaceId, { monthEnds, used, born }]) => ({ workspaceId, monthEnds, used, born })),
      );
      for (const [workspaceId, counters] of batch) {
        if (changed.get(workspaceId) === counters) changed.delete(workspaceId);
      }
    }
  };
  const flushing = repeat(flush, {
    name: 'the flush of monthly counts',
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    clock,
    log,
  });

  return {
    note: (workspaceId, counters) => {
      if (counters.used > 0 && counters.born > 0) changed.set(workspaceId, counters);
    },
    find: (workspaceId, month) =>
      store.highest(workspaceId, month).catch((error: unknown) => {
        log.warn({ err: error }, 'the stored count of a month cannot be read');
        return undefined;
      }),
    close: async () => {
      await flushing.close();
      await flush().catch((error: unknown) => log.warn({ err: error }, 'the last counts of the month are not stored'));
    },
  };
}
