import type { Clock } from './clock.ts';

/** Calls the action after a time, by the injected clock. Returns the call that cancels it. */
export function startTimer(clock: Pick<Clock, 'sleep'>, ms: number, action: () => void): () => void {
  const canceled = new AbortController();
  clock.sleep(ms, canceled.signal).then(action, () => undefined);
  return () => canceled.abort();
}
