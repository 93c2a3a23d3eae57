import { constants, PerformanceObserver, type PerformanceEntry as Entry } from 'node:perf_hooks';

/** A time in which the event loop was blocked, and the request at that time. */
export interface Pause {
  ms: number;
  during: string;
}

interface Standstill extends Pause {
  from: number;
  to: number;
}

const TICK_MS = 10;

/**
 * Watches for how long the event loop of this process, services and tests together, stands still. Only what the processor
 * worked for counts: on a busy machine a process also waits for its turn. Nor does the collection of a heap that is that of
 * all services and of thousands of requests yet to be asked.
 */
export function watchPauses(overMs: number) {
  const found: Standstill[] = [];
  const collections: Entry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries().filter(isOfAll)));
  observer.observe({ entryTypes: ['gc'] });
  let during = '';
  let [at, worked] = [performance.now(), workedMs()];
  const timer = setInterval(() => {
    const [now, workedNow] = [performance.now(), workedMs()];
    const ms = Math.round(Math.min(now - at, workedNow - worked));
    if (ms > overMs) found.push({ ms, during, from: at, to: now });
    [at, worked] = [now, workedNow];
  }, TICK_MS);
  return {
    /** Names the request to which the next pauses belong. */
    during: (what: string) => (during = what),
    end: (): Pause[] => {
      clearInterval(timer);
      collections.push(...observer.takeRecords().filter(isOfAll));
      observer.disconnect();
      return found
        .map((pause) => ({ during: pause.during, ms: pause.ms - collecting(collections, pause) }))
        .filter(({ ms }) => ms > overMs);
    },
  };
}

const isOfAll = ({ detail }: Entry) => (detail as { kind: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR;

function collecting(collections: Entry[], { from, to }: Standstill): number {
  const within = collections.filter(({ startTime, duration }) => startTime < to && startTime + duration > from);
  return Math.round(within.reduce((sum, { duration }) => sum + duration, 0));
}

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
