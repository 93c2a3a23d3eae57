import { setMaxListeners } from 'node:events';
import { abortedByAny } from './abort.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export interface Repeating {
  /** Ends the pause. A call during a run leads to another run without a pause. */
  wake(): void;
  /** Aborts the signal of the task, and resolves when the current run is over. */
  close(): Promise<void>;
}

interface RepeatOptions {
  /** The subject of the log line of a failure, such as `the sweep of old bodies`. */
  name: string;
  /** The pause after a run that returns none of its own. */
  everyMs: number;
  /** The pause before the first run. Without it the first run begins at once. */
  firstAfterMs?: number;
  clock: Pick<Clock, 'sleep'>;
  log: Pick<Log, 'warn'>;
}

/** Runs a task again and again, one run at a time. A task that fails is logged and runs again after the pause. */
export function repeat(task: (signal: AbortSignal) => Promise<number | void>, options: RepeatOptions): Repeating {
  const { name, everyMs, firstAfterMs = 0, clock, log } = options;
  const closing = new AbortController();
  // A run may hand the signal to any number of pieces of work.
  setMaxListeners(0, closing.signal);
  let woken = new AbortController();

  const runOnce = async (): Promise<number> => {
    try {
      return (await task(closing.signal)) ?? everyMs;
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error }, `${name} failed; the next run tries again`);
      return everyMs;
    }
  };
  const pause = (ms: number): Promise<void> =>
    abortedByAny([closing.signal, woken.signal], (signal) => clock.sleep(ms, signal)).catch(() => undefined);
  const loop = async (): Promise<void> => {
    if (firstAfterMs > 0) await pause(firstAfterMs);
    while (!closing.signal.aborted) {
      // It is made before the run, so that a wake-up during the run ends the pause after it.
      woken = new AbortController();
      await pause(await runOnce());
    }
  };
  const running = loop();

  return {
    wake: () => woken.abort(),
    close: () => {
      closing.abort(new Error('closing'));
      return running;
    },
  };
}
