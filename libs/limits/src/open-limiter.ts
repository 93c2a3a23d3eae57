import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Metrics } from '@postroom/runtime/metrics';
import type { VariableChanges } from '@postroom/runtime/variable-changes';
import { resultWithin } from '@postroom/runtime/within';
import { sayWhetherKeysMayGo } from './eviction.ts';
import { limiterOn } from './counter-store.ts';
import { fallingBackCounters } from './falling-back-counters.ts';
import type { Limiter } from './limiter.ts';
import { memoryLimiter } from './memory-limiter.ts';
import { keepFloors, noFloors, type FloorStore } from './month-floors.ts';
import { logInAnew, openRedis, type RedisSettings } from './redis-connection.ts';

interface LimiterOptions {
  /** None: limits of this process alone, right for one gateway only. */
  redis?: RedisSettings | undefined;
  /** The store of monthly counts outside Redis. */
  floors?: FloorStore | undefined;
  context: { clock: Clock; log: Log; metrics?: Metrics; changes?: VariableChanges };
}

/** The time that a start waits for Redis. After it the limiter counts locally, because a gateway must not need Redis. */
const READY_MS = 2_000;

/** The limiter that the settings ask for. A Redis that does not answer, now or later, is no error. */
export async function openLimiter({ redis, floors: kept, context }: LimiterOptions): Promise<Limiter> {
  const { clock, log, metrics } = context;
  if (!redis) {
    log.info('limits are counted in this process alone');
    return memoryLimiter(clock);
  }
  const client = openRedis(redis, log);
  context.changes?.on('REDIS_URL', (url) => logInAnew(client, url));
  let local = false;
  metrics?.gauge('postroom_limits_local', '1 while Redis does not answer and limits are counted here', () =>
    local ? 1 : 0,
  );
  sayWhetherKeysMayGo(client, log);
  const floors = kept ? keepFloors({ store: kept, clock, log }) : noFloors;
  const store = fallingBackCounters(client, { clock, log, floors, onChange: (now) => (local = now) });
  const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()));
  await resultWithin({ ms: READY_MS, clock }, ready);
  const limiter = limiterOn(store);
  return { ...limiter, close: () => floors.close().then(() => limiter.close()) };
}
