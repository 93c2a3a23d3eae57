import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { createCircuit } from './circuit.ts';
import type { CounterStore, Reading } from './counter-store.ts';
import { createDebts } from './debts.ts';
import { memoryCounters } from './memory-counters.ts';
import type { RedisCounters } from './redis-counters.ts';

export interface FallingBackOptions {
  clock: Clock;
  log: Log;
  /** Told true when limiting becomes local, and false when Redis counts again. */
  onChange?: (local: boolean) => void;
}

interface Question {
  there: () => Promise<Reading>;
  here: () => Promise<Reading>;
  /** What is owed to Redis for an answer that was given here. */
  debt: (reading: Reading) => { count: number; used: number };
}

const SETTLED_AT_ONCE = 200;

/**
 * Counts in Redis while it answers, and here while it does not. Counting here starts from what Redis said last, and what
 * is counted here is owed to Redis and settled when it is back. So an outage gives a workspace no more than what the
 * gateways could not know of each other, also when Redis comes back with nothing in it.
 */
export function fallingBackCounters(redis: RedisCounters, { clock, log, onChange }: FallingBackOptions): CounterStore {
  const memory = memoryCounters(clock);
  const debts = createDebts(memory, clock);
  const unsettled = new Set<string>();

  const comeBack = (): void => {
    for (const workspaceId of memory.known()) unsettled.add(workspaceId);
    onChange?.(false);
    log.info({ workspaces: unsettled.size, owing: debts.size() }, 'redis answers: limits are shared');
    void sweep();
  };
  const circuit = createCircuit({
    clock,
    probe: () => redis.ping(),
    onClose: comeBack,
    onOpen: (error) => {
      onChange?.(true);
      log.warn({ err: error }, 'redis does not answer: limits are counted in this process');
    },
  });
  /** Sent before anything else of that workspace and on the same connection, so it is counted before. */
  const settle = async (workspaceId: string): Promise<void> => {
    if (!unsettled.delete(workspaceId)) return;
    const debt = debts.take(workspaceId);
    try {
      memory.learn(workspaceId, await circuit.run(() => redis.settle(workspaceId, debt)));
    } catch (error) {
      if (neverSent(error)) debts.restore(workspaceId, debt);
    }
  };
  const sweep = async (): Promise<void> => {
    while (!circuit.isOpen() && unsettled.size > 0) {
      await Promise.all(firstOf(unsettled, SETTLED_AT_ONCE).map(settle));
    }
  };
  const askHere = async (workspaceId: string, { here, debt }: Question): Promise<Reading> => {
    const reading = await here();
    const { count, used } = debt(reading);
    if (!reading.refusedBy) debts.owe(workspaceId, reading, count, used);
    return reading;
  };
  const ask = async (workspaceId: string, question: Question): Promise<Reading> => {
    if (circuit.isOpen()) return askHere(workspaceId, question);
    void settle(workspaceId);
    try {
      const reading = await circuit.run(question.there);
      memory.learn(workspaceId, reading);
      return reading;
    } catch (error) {
      // What was sent may have run, or will when a hung server wakes: owing it as well might charge it twice.
      return neverSent(error) ? askHere(workspaceId, question) : question.here();
    }
  };

  redis.onReconnect(() => (circuit.isOpen() ? undefined : comeBack()));
  return storeOf(redis, memory, ask, circuit.stop);
}

function storeOf(
  redis: RedisCounters,
  memory: CounterStore,
  ask: (workspaceId: string, question: Question) => Promise<Reading>,
  stop: () => void,
): CounterStore {
  return {
    take: (id, allowance, requests, units) =>
      ask(id, {
        there: () => redis.take(id, allowance, requests, units),
        here: () => memory.take(id, allowance, requests, units),
        debt: () => ({ count: requests, used: units }),
      }),
    refund: (id, units, until) =>
      ask(id, {
        there: () => redis.refund(id, units, until),
        here: () => memory.refund(id, units, until),
        debt: ({ counters }) => ({ count: 0, used: until === undefined || until === counters.monthEnds ? -units : 0 }),
      }),
    close: async () => {
      stop();
      await redis.close();
    },
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

/** Refused by the client itself, because there is no connection: the server cannot have seen it. */
function neverSent(error: unknown): boolean {
  return error instanceof Error && /enableOfflineQueue/.test(error.message);
}
