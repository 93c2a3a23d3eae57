import { setTimeout as pause } from 'node:timers/promises';

interface Fault {
  begun: number;
  ended: number;
  what: string;
}

export interface Load {
  done: number;
  faults: Fault[];
  /** Begins nothing more, and waits for what was begun. */
  stop(): Promise<void>;
}

/** A machine that answers more slowly than the pace is asked less: what is tried is the product, not the machine. */
const MOST_PENDING_SECONDS = 1;

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${wordsOf(error.cause)})`;
}

/** Begins one task after another at a steady rate, also while those before still wait; a rejection is a fault. */
export function load(perSecond: number, task: (nth: number) => Promise<void>): Load {
  const faults: Fault[] = [];
  const underWay = new Set<Promise<void>>();
  let done = 0;
  let isGoing = true;

  const one = async (nth: number): Promise<void> => {
    const begun = Date.now();
    try {
      await task(nth);
      done += 1;
    } catch (error) {
      faults.push({ begun, ended: Date.now(), what: wordsOf(error) });
    }
  };
  const going = (async () => {
    const from = performance.now();
    for (let [tick, nth] = [1, 0]; isGoing; tick++) {
      if (underWay.size < perSecond * MOST_PENDING_SECONDS) {
        const running = one(nth++).finally(() => underWay.delete(running));
        underWay.add(running);
      }
      await pause(Math.max(0, from + (tick * 1_000) / perSecond - performance.now()));
    }
  })();
  return {
    get done() {
      return done;
    },
    faults,
    stop: async () => {
      isGoing = false;
      await going;
      await Promise.all(underWay);
    },
  };
}
