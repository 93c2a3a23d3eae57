import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { createCircuitBreaker, NotTried } from '@postroom/runtime/circuit-breaker';
import type { CounterStore, CounterReading } from './counter-store.ts';
import { type Addition, createDebts, type Debts } from './debts.ts';
import { noFloors, type MonthFloors } from './month-floors.ts';
import { memoryCounters } from './memory-counters.ts';
import type { RedisClient } from './redis-connection.ts';
import { createRepair, type Repair } from './repair.ts';
import { redisCounters, type RedisCounters } from './redis-counters.ts';

interface FallingBackOptions {
  clock: Clock;
  log: Log;
  /** Called with true when limiting becomes local, and with false when Redis counts again. */
  onChange?: (local: boolean) => void;
  /** The stored lower bounds of months, outside this process and Redis. */
  floors?: MonthFloors;
}

type Ask = (
  workspaceId: string,
  question: (store: CounterStore) => Promise<CounterReading>,
  adds: Addition,
) => Promise<CounterReading>;

const SYNCED_AT_ONCE = 200;
const NOTHING: Addition = { count: 0, used: 0 };

/**
 * Counts in Redis while it answers, and locally while it does not. Local counting starts from the last values of Redis,
 * and its counts are added to Redis later. So an outage gives a workspace only the calls that gateways could not know of
 * each other, also when Redis comes back empty.
 */
export function fallingBackCounters(client: RedisClient, options: FallingBackOptions): CounterStore {
  const { clock, log, onChange, floors = noFloors } = options;
  const memory = memoryCounters(clock);
  const debts = createDebts(memory, clock);

  const comeBack = (): void => {
    onChange?.(false);
    log.info({ workspaces: memory.known().length, unsynced: debts.size() }, 'redis answers: limits are shared');
    void syncing.begin(memory.known());
  };
  const circuit = createCircuitBreaker({
    clock,
    probe: () => redis.ping(),
    onClose: comeBack,
    onOpen: (error) => {
      onChange?.(true);
      log.warn({ err: error }, 'redis does not answer: limits are counted in this process');
    },
  });
  const redis = redisCounters(client, circuit.run);
  const repair = createRepair({ redis, memory, debts, floors, log });
  const syncing = createSyncing({ redis, debts, repair, isOpen: circuit.isOpen });
  const askHere: Ask = async (workspaceId, question, adds) => {
    const reading = await question(memory);
    if (!reading.refusedBy && adds !== NOTHING) debts.addUnsynced(workspaceId, reading, adds);
    return reading;
  };
  const ask: Ask = async (workspaceId, question, adds) => {
    if (circuit.isOpen()) return askHere(workspaceId, question, adds);
    void syncing.one(workspaceId);
    try {
      return repair.whole(workspaceId, await question(redis));
    } catch (error) {
      // A sent call may have run, or may run when a hung server wakes. A local count would charge it twice.
      return neverSent(error) ? askHere(workspaceId, question, adds) : question(memory);
    }
  };

  redis.onReconnect(() => (circuit.isOpen() ? undefined : comeBack()));
  return storeOf(ask, () => {
    circuit.stop();
    return redis.close();
  });
}

interface SyncingDeps {
  redis: RedisCounters;
  debts: Debts;
  repair: Repair;
  isOpen: () => boolean;
}

/** After Redis is back, adds to it the calls that were counted here, workspace by workspace. */
function createSyncing({ redis, debts, repair, isOpen }: SyncingDeps) {
  const unsynced = new Set<string>();
  /** Sent before anything else of that workspace and on the same connection, so it is counted before. */
  const one = async (workspaceId: string): Promise<void> => {
    if (!unsynced.delete(workspaceId)) return;
    const debt = debts.take(workspaceId);
    try {
      repair.synced(workspaceId, await redis.sync(workspaceId, debt));
    } catch (error) {
      if (neverSent(error)) debts.restore(workspaceId, debt);
    }
  };
  return {
    one,
    begin: async (workspaceIds: readonly string[]): Promise<void> => {
      for (const workspaceId of workspaceIds) unsynced.add(workspaceId);
      while (!isOpen() && unsynced.size > 0) await Promise.all(firstOf(unsynced, SYNCED_AT_ONCE).map(one));
    },
  };
}

function storeOf(ask: Ask, close: () => Promise<void>): CounterStore {
  return {
    take: (id, allowance, requests, units) =>
      ask(id, (store) => store.take(id, allowance, requests, units), { count: requests, used: units }),
    refund: (id, units, month) => ask(id, (store) => store.refund(id, units, month), { count: 0, used: -units, month }),
    read: (id) => ask(id, (store) => store.read(id), NOTHING),
    close,
  };
}

/** Without copying the whole set, which may hold every workspace there is. */
function firstOf<T>(set: ReadonlySet<T>, count: number): T[] {
  const some: T[] = [];
  for (const item of set) {
    if (some.push(item) >= count) break;
  }
  return some;
}

/** Refused on this side, because there is no connection or no hope: the server cannot have seen it. */
function neverSent(error: unknown): boolean {
  return error instanceof NotTried || (error instanceof Error && /enableOfflineQueue/.test(error.message));
}
