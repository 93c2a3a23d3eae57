import type { CircuitBreaker } from '@postroom/runtime/circuit-breaker';
import type { CounterStore, CounterReading } from './counter-store.ts';
import type { RedisClient } from './redis-connection.ts';
import { createBatch } from './script-batch.ts';

/** The local counts of an outage of Redis, and the values at its begin. */
export interface Debt {
  /** Milliseconds left of the minute window, 0 when none is open. */
  minuteLeft: number;
  /** The minute and the month before the outage. A Redis that lost its data is restored to them. */
  countBefore: number;
  usedBefore: number;
  monthEnds: number;
  /** Of the key that this was known of. */
  born: number;
  /** The counts since then. */
  count: number;
  used: number;
}

export interface RedisCounters extends CounterStore {
  sync(workspaceId: string, debt: Debt): Promise<CounterReading>;
  /** Rejects while the server does not answer. */
  ping(): Promise<void>;
  /** Called when a connection is open again. The server may have lost its data. */
  onReconnect(listener: () => void): void;
}

export function redisCounters(client: RedisClient, through: CircuitBreaker['run']): RedisCounters {
  const run = createBatch(client, through);
  let connected = client.status === 'ready';

  return {
    take: (id, { perMinute, perMonth }, requests, units) => run(id, ['take', requests, perMinute, units, perMonth]),
    refund: (id, units, reservedUntil = 0) => run(id, ['refund', units, reservedUntil]),
    read: (id) => run(id, ['read']),
    sync: (id, debt) =>
      run(id, [
        'sync',
        debt.minuteLeft,
        debt.countBefore,
        debt.count,
        debt.monthEnds,
        debt.usedBefore,
        debt.used,
        debt.born,
      ]),
    ping: async () => {
      await client.ping();
    },
    onReconnect: (listener) => {
      client.on('ready', () => {
        if (connected) listener();
        connected = true;
      });
    },
    close: async () => client.disconnect(),
  };
}
