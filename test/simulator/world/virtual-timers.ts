import type { Owner, Scheduler } from './scheduler.ts';

const real = { setTimeout, clearTimeout, setImmediate };

/**
 * Watches over sockets and handlers use the timers of the process, and not the clock of the context. While a simulation
 * runs, those of its processes run by virtual time too. Whoever else shares this process, such as the test runner, keeps
 * the real ones: a timer of theirs would be a step that no seed drew. Returns the call that gives the real ones back.
 */
export function useVirtualTimers(scheduler: Scheduler, owner: () => Owner | undefined): () => void {
  const begin = (by: Owner, ms: number, run: () => unknown) => {
    const cancel = scheduler.after(ms, by, run);
    const timer = { cancel, unref: () => timer, ref: () => timer, hasRef: () => true };
    return timer;
  };
  const virtual = {
    setTimeout: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) => {
      const by = owner();
      return by ? begin(by, ms, () => run(...args)) : real.setTimeout(run, ms, ...args);
    },
    clearTimeout: (timer?: { cancel?: () => void }) =>
      timer?.cancel ? timer.cancel() : real.clearTimeout(timer as NodeJS.Timeout),
    // The database runs within one step, and lets others run when a query takes long in real time.
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => {
      const by = owner();
      return by ? begin(by, 0, () => run(...args)) : real.setImmediate(run, ...args);
    },
  };
  Object.assign(globalThis, virtual);
  return () => void Object.assign(globalThis, real);
}
