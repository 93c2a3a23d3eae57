import type { Clock } from '@postroom/runtime/clock';
import { limiterOn } from './counter-store.ts';
import type { Limiter } from './limiter.ts';
import { memoryCounters } from './memory-counters.ts';

/** Limits of one process; nothing is kept over a restart. */
export function memoryLimiter(clock: Pick<Clock, 'now'>): Limiter {
  return limiterOn(memoryCounters(clock));
}
