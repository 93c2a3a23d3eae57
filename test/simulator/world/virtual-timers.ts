import type { Owner, Scheduler } from './scheduler.ts';

const real = { setTimeout, clearTimeout, setImmediate };

/**
 * Watches over sockets and handlers use the timers of the process, and not the clock of the context. While a simulation
 * runs these run by virtual time too. Returns the call that gives the real ones back.
 */
export function useVirtualTimers(scheduler: Scheduler, owner: () => Owner | undefined): () => void {
  const begin = (ms: number, run: () => unknown) => {
    const cancel = scheduler.after(ms, owner(), run);
    const timer = { cancel, unref: () => timer, ref: () => timer, hasRef: () => true };
    return timer;
  };
  const virtual = {
    setTimeout: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) => begin(ms, () => run(...args)),
    clearTimeout: (timer?: { cancel?: () => void }) => timer?.cancel?.(),
    // The database runs within one step, and lets others run when a query takes long in real time.
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) =>
      owner() ? begin(0, () => run(...args)) : real.setImmediate(run, ...args),
  };
  Object.assign(globalThis, virtual);
  return () => void Object.assign(globalThis, real);
}
