export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  date(): Date;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

export interface ManualClock extends Clock {
  /** Moves time forward. Sleepers wake in the order of their time, and each sees its own moment as now. */
  advance(ms: number): Promise<void>;
  /** Jumps to a moment without waking sleepers in between one by one. */
  set(moment: number | string | Date): void;
  /** The number of sleepers, so that a test can wait until a loop sleeps. */
  readonly sleeping: number;
}

interface Sleeper {
  at: number;
  wake: () => void;
}

/**
 * A clock that a test moves, so that minutes, months and retries pass at once. It is ahead of the clock of the database, which
 * removes by its own time what has expired.
 */
export function manualClock(start: number | string | Date = '2126-01-01T00:00:00Z'): ManualClock {
  let now = new Date(start).getTime();
  let sleepers: Sleeper[] = [];

  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const abort = () => {
        sleepers = sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason as Error);
      };
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { at: now + ms, wake };
      sleepers.push(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
    });

  const advance = async (ms: number) => {
    const until = now + ms;
    for (;;) {
      const next = sleepers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      sleepers = sleepers.filter((other) => other !== next);
      now = Math.max(now, next.at);
      next.wake();
      // A woken sleeper may sleep again within the same span, so it runs before time moves on.
      await nextImmediate();
    }
    now = until;
    await nextImmediate();
  };

  return {
    now: () => now,
    date: () => new Date(now),
    sleep,
    advance,
    set: (moment) => {
      now = new Date(moment).getTime();
    },
    get sleeping() {
      return sleepers.length;
    },
  };
}

function nextImmediate(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
