import { currentProcess, enter, type Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';

const real = { setTimeout, clearTimeout, setImmediate };
const { nextTick } = process;

/**
 * Watches over sockets and handlers use the timers of the process, and not the clock of the context. While a simulation
 * runs, those of its processes run by virtual time too. Others in this process, such as the test runner, keep the real ones:
 * a timer of theirs would be a step that no seed drew. Returns the call that gives the real ones back.
 */
export function useVirtualTimers(scheduler: Scheduler): () => void {
  const begin = (by: Process, ms: number, run: () => unknown) => {
    const cancel = scheduler.after(ms, by, run);
    const timer = { cancel, unref: () => timer, ref: () => timer, hasRef: () => true };
    return timer;
  };
  const virtual = {
    setTimeout: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) => {
      const by = currentProcess();
      return by ? begin(by, ms, () => run(...args)) : real.setTimeout(run, ms, ...args);
    },
    clearTimeout: (timer?: { cancel?: () => void }) =>
      timer?.cancel ? timer.cancel() : real.clearTimeout(timer as NodeJS.Timeout),
    // A process that only lets others run goes on within the same step. The database runs outside of every process.
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => {
      const by = currentProcess();
      const end = by ? scheduler.prolongStep() : () => undefined;
      return real.setImmediate(() => {
        end();
        if (by) enter(by);
        run(...args);
      });
    },
  };
  Object.assign(globalThis, virtual);
  // Streams go on by it.
  process.nextTick = (run: (...args: unknown[]) => void, ...args: unknown[]) => {
    const by = currentProcess();
    nextTick(() => {
      if (by) enter(by);
      run(...args);
    });
  };
  return () => {
    Object.assign(globalThis, real);
    process.nextTick = nextTick;
  };
}
