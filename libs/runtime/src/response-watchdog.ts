const TICK_MS = 25;

interface Wait {
  since: number;
  giveUp: (error: Error) => void;
}

interface ResponseWatchdog {
  begin: (giveUp: (error: Error) => void) => Wait;
  end: (wait: Wait) => void;
  endAll: (error: Error) => void;
}

/**
 * One timer for all calls that wait, in the order in which they began. It counts only time in which this process ran:
 * after a stall of the process the answers have arrived and are unread. If it gave the server up then, each gateway would
 * count requests by itself. It needs the real clock, because real sockets do.
 */
export function createResponseWatchdog(limitMs: number, onTooLong: () => void): ResponseWatchdog {
  const waiting = new Set<Wait>();
  let awakeMs = 0;
  let lastTick = 0;
  let timer: NodeJS.Timeout | undefined;

  const oldestWaits = (): boolean => {
    const oldest = waiting.values().next().value;
    return oldest !== undefined && awakeMs - oldest.since >= limitMs;
  };
  const tick = (): void => {
    const now = performance.now();
    awakeMs += Math.min(now - lastTick, 2 * TICK_MS);
    lastTick = now;
    // Timers run before the answers of this loop iteration are read, so the decision waits for them.
    if (oldestWaits()) setImmediate(() => (oldestWaits() ? onTooLong() : undefined));
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    begin: (giveUp: (error: Error) => void): Wait => {
      const wait = { since: awakeMs, giveUp };
      waiting.add(wait);
      if (!timer) {
        lastTick = performance.now();
        timer = setInterval(tick, TICK_MS);
      }
      return wait;
    },
    end: (wait: Wait): void => void waiting.delete(wait),
    endAll: (error: Error): void => {
      for (const { giveUp } of waiting) giveUp(error);
      waiting.clear();
    },
  };
}
