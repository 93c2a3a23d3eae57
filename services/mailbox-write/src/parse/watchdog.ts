export interface Watchdog {
  /** From now on, this long and no longer; said again with every sign of life. */
  watch(limitMs: number): void;
  rest(): void;
}

/**
 * Bites when nothing was heard for too long. Real time, not the injected clock: it guards work that really runs.
 * One timer serves thousands of signs of life, and what was answered just in time is heard before it bites.
 */
export function createWatchdog(bite: () => void): Watchdog {
  let limit = 0;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;

  const left = () => since + limit - performance.now();
  const arm = () => {
    timer = setTimeout(look, Math.max(1, left()));
    timer.unref();
  };
  const look = () => {
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
