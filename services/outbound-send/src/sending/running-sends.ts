import type { Clock } from '@postroom/runtime/clock';
import { resultWithin } from '@postroom/runtime/within';

interface RunningSends {
  add(running: Promise<unknown>): void;
  /** The number of sends that are not slow yet. */
  prompt(): number;
  /** Until one of those ends, or becomes slow. */
  next(): Promise<void>;
  idle(): Promise<void>;
}

/** A healthy server is done by then. A slower send keeps its permit and does not delay other mail. */
const PROMPT_MS = 5_000;

/** Separates sends in work from those that only wait for a slow server. */
export function createRunningSends(clock: Pick<Clock, 'sleep'>): RunningSends {
  const all = new Set<Promise<unknown>>();
  const prompt = new Set<Promise<unknown>>();
  const keep = (set: Set<Promise<unknown>>, promise: Promise<unknown>): void => {
    const kept = promise.finally(() => set.delete(kept));
    set.add(kept);
  };
  return {
    add: (running) => {
      keep(all, running);
      keep(prompt, resultWithin({ ms: PROMPT_MS, clock }, running));
    },
    prompt: () => prompt.size,
    next: async () => void (await Promise.race(prompt)),
    idle: async () => void (await Promise.allSettled(all)),
  };
}
