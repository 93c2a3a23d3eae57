export interface Watchdog {
  /** The time limit from now on. Every sign of life renews it. */
  watch(limitMs: number): void;
  rest(): void;
}

/** A machine that is too busy to run the work is given this many times the limit. */
const MOST_WAITED = 4;

/**
 * Bites when work ran for too long without a sign of life. Real time, not the injected clock: it guards work that really
 * runs. No work has had more of the processor than its process, so that time in which nothing ran here does not count.
 * One timer serves thousands of signs of life, and what was answered just in time is heard before it bites.
 */
export function createWatchdog(bite: () => void, processorMs: () => number = ownProcessorMs): Watchdog {
  let limit = 0;
  let since = 0;
  let processorSince = 0;
  let timer: NodeJS.Timeout | undefined;

  const left = () => {
    const passed = performance.now() - since;
    return limit - Math.min(passed, Math.max(processorMs() - processorSince, passed / MOST_WAITED));
  };
  const arm = () => {
    timer = setTimeout(check, Math.max(1, left()));
    timer.unref();
  };
  const check = () => {
    timer = undefined;
    if (limit === 0) return;
    if (left() > 0) return arm();
    setImmediate(() => {
      if (limit === 0 || timer) return;
      if (left() > 0) return arm();
      limit = 0;
      bite();
    });
  };

  return {
    watch: (limitMs) => {
      const isLonger = limit !== 0 && limitMs >= limit;
      limit = limitMs;
      since = performance.now();
      processorSince = processorMs();
      if (!timer) arm();
      else if (!isLonger) {
        clearTimeout(timer);
        arm();
      }
    },
    rest: () => {
      limit = 0;
    },
  };
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
