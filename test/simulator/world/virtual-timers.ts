import { executionAsyncId } from 'node:async_hooks';
import type { Owner, Scheduler } from './scheduler.ts';

const real = { setTimeout, clearTimeout, setImmediate };

/** A step runs in reactions of promises. Callbacks of real timers, which are of others, have an id instead of zero. */
const isWithinStep = () => executionAsyncId() === 0;

/**
 * Watches over sockets and handlers use the timers of the process, and not the clock of the context. While a simulation
 * runs, those of its processes run by virtual time too. Others in this process, such as the test runner, keep the real ones:
 * a timer of theirs would be a step that no seed drew. Returns the call that gives the real ones back.
 */
export function useVirtualTimers(scheduler: Scheduler, owner: () => Owner | undefined): () => void {
  const begin = (by: Owner, ms: number, run: () => unknown) => {
    const cancel = scheduler.after(ms, by, run);
    const timer = { cancel, unref: () => timer, ref: () => timer, hasRef: () => true };
    return timer;
  };
  const virtual = {
    setTimeout: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) => {
      const by = isWithinStep() ? owner() : undefined;
      return by ? begin(by, ms, () => run(...args)) : real.setTimeout(run, ms, ...args);
    },
    clearTimeout: (timer?: { cancel?: () => void }) =>
      timer?.cancel ? timer.cancel() : real.clearTimeout(timer as NodeJS.Timeout),
    // A process that only lets others run goes on within the same step. The database runs outside of every process.
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => {
      const end = owner() ? scheduler.prolongStep() : () => undefined;
      return real.setImmediate(() => {
        end();
        run(...args);
      });
    },
  };
  Object.assign(globalThis, virtual);
  return () => void Object.assign(globalThis, real);
}
