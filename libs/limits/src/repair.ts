import type { Log } from '@postroom/runtime/log';
import type { CounterReading } from './counter-store.ts';
import type { Debts } from './debts.ts';
import type { MemoryCounters } from './memory-counters.ts';
import type { MonthFloors } from './month-floors.ts';
import type { Debt, RedisCounters } from './redis-counters.ts';
import type { Counters } from './windows.ts';

interface Deps {
  redis: Pick<RedisCounters, 'sync'>;
  memory: MemoryCounters;
  debts: Debts;
  floors: MonthFloors;
  log: Log;
}

export interface Repair {
  /** The answer of Redis to a call once the month is complete. */
  whole(workspaceId: string, reading: CounterReading): Promise<CounterReading> | CounterReading;
  /** The answer of Redis after it got the values of this process. The stored bounds may be higher. */
  synced(workspaceId: string, reading: CounterReading): void;
}

/**
 * Reads the answers of Redis. A key that Redis lost gets the count of the month again, from this process and from the
 * stored floors; the call that finds the loss waits for that. The restored count is too high by no more than the refunds
 * since it was last known. It is too low by no more than other processes charged since the last floor was stored, or
 * since the loss before, if they made no call in between.
 */
export function createRepair(deps: Deps): Repair {
  const { memory, debts, floors } = deps;
  const restoring = new Map<string, Promise<CounterReading | undefined>>();

  const learn = (workspaceId: string, reading: CounterReading): CounterReading => {
    memory.learn(workspaceId, reading);
    floors.note(workspaceId, reading.counters);
    return reading;
  };
  const restoreOnce = (
    workspaceId: string,
    reading: CounterReading,
    isKnown: boolean,
  ): Promise<CounterReading | undefined> => {
    const begun = restoring.get(workspaceId);
    if (begun) return begun;
    const lost = isKnown ? debts.take(workspaceId) : undefined;
    const work = bringBack({ workspaceId, reading, lost }, deps)
      .then((restored) => restored && learn(workspaceId, restored))
      .finally(() => restoring.delete(workspaceId));
    restoring.set(workspaceId, work);
    return work;
  };

  const whole: Repair['whole'] = (workspaceId, reading) => {
    const before = memory.countersOf(workspaceId);
    return reading.counters.born === before.born ? learn(workspaceId, reading) : meet(workspaceId, reading, before);
  };
  const meet = async (workspaceId: string, reading: CounterReading, before: Counters): Promise<CounterReading> => {
    const { born, monthEnds } = reading.counters;
    const isKnown = before.born !== 0 && before.monthEnds === monthEnds;
    if (!isKnown) learn(workspaceId, reading);
    const restored = restoreOnce(workspaceId, reading, isKnown);
    // The check of a key that others have used before this process runs in the background.
    const isNew = Math.floor(born / 1_000) === reading.now;
    const { counters } = (isKnown || isNew ? await restored : undefined) ?? reading;
    // Several calls that found the loss at once each have their own position in the minute.
    return { ...reading, counters: { ...reading.counters, used: Math.max(reading.counters.used, counters.used) } };
  };
  const synced: Repair['synced'] = (workspaceId, reading) => {
    const isOther = memory.countersOf(workspaceId).born !== reading.counters.born;
    learn(workspaceId, reading);
    if (isOther) void restoreOnce(workspaceId, reading, false);
  };
  return { whole, synced };
}

interface Loss {
  workspaceId: string;
  reading: CounterReading;
  lost: Debt | undefined;
}

/** The count once it is whole again; nothing where nothing was missing, or it cannot be brought back yet. */
async function bringBack({ workspaceId, reading, lost }: Loss, { redis, debts, floors, log }: Deps) {
  try {
    const floor = await floors.find(workspaceId, reading.counters);
    let restored = lost && (await redis.sync(workspaceId, lost));
    if (floor) restored = await redis.sync(workspaceId, debtOf(floor));
    if (restored) log.warn({ workspaceId, used: restored.counters.used }, 'redis had lost a count; it is restored');
    return restored;
  } catch (error) {
    // The known values stay, and the next call tries again.
    if (lost) debts.restore(workspaceId, lost);
    log.warn({ err: error, workspaceId }, 'a lost count is not restored; the next call tries again');
    return undefined;
  }
}

function debtOf({ monthEnds, used, born }: { monthEnds: number; used: number; born: number }): Debt {
  return { minuteLeft: 0, countBefore: 0, count: 0, monthEnds, born, usedBefore: used, used: 0 };
}
