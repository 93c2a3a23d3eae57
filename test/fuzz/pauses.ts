/** A time in which nothing else could run, and what had been asked then. */
export interface Pause {
  ms: number;
  during: string;
}

const TICK_MS = 10;

/**
 * Watches for how long the event loop of this process, services and tests together, stands still. Only what the processor
 * worked for counts: on a busy machine a process also waits for its turn.
 */
export function watchPauses(overMs: number) {
  const found: Pause[] = [];
  let during = '';
  let [at, worked] = [performance.now(), workedMs()];
  const timer = setInterval(() => {
    const [now, workedNow] = [performance.now(), workedMs()];
    const ms = Math.round(Math.min(now - at, workedNow - worked));
    if (ms > overMs) found.push({ ms, during });
    [at, worked] = [now, workedNow];
  }, TICK_MS);
  return {
    /** What is asked from now on. */
    during: (what: string) => (during = what),
    end: (): Pause[] => {
      clearInterval(timer);
      return found;
    },
  };
}

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
