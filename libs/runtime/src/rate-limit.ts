import type { Clock } from './clock.ts';

/** Waits until the next call for this name may go. The signal ends the wait. */
export type RateLimit = (name: string, signal: AbortSignal) => Promise<void>;

/** Spaces calls evenly: so many a second for each name, in the order of the calls. */
export function createRateLimit(perSecond: number, clock: Pick<Clock, 'now' | 'sleep'>): RateLimit {
  const gapMs = 1_000 / perSecond;
  const next = new Map<string, number>();

  return async (name, signal) => {
    const now = clock.now();
    for (const [other, at] of next) if (at <= now) next.delete(other);
    const at = next.get(name) ?? now;
    next.set(name, at + gapMs);
    if (at > now) await clock.sleep(at - now, signal);
  };
}
