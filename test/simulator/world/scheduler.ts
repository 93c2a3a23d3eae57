import type { Chance } from './chance.ts';

/** The process that a step belongs to. The steps of a dead one are dropped. */
export interface Owner {
  isAlive: boolean;
  /** Until then it stands still: none of its steps run. */
  stalledUntil?: number;
}

interface Step {
  at: number;
  order: number;
  owner: Owner | undefined;
  run: () => unknown;
}

export interface Scheduler {
  /** Milliseconds since the epoch, in virtual time. */
  now(): number;
  /** Runs something after a time. Returns the call that takes it back. */
  after(ms: number, owner: Owner | undefined, run: () => unknown): () => void;
  drop(owner: Owner): void;
  /** The step goes on until the returned call, and what that call sets off. */
  prolongStep(): () => void;
  /** Runs one step after the other until a condition holds. */
  runUntil(isDone: () => boolean): Promise<void>;
}

interface Options {
  start: number;
  chance: Chance;
  /** Whether whatever is ready runs in any order. Otherwise it runs in the order in which it became ready. */
  isShuffled: boolean;
  /** Asked before each step of a process; it may kill that process. */
  before(owner: Owner): void;
  /** Told of the owner of all that runs in the next step. */
  enter(owner: Owner): void;
}

/** Far more than a run needs: a process that repeats itself without end is found. */
const MOST_STEPS = 300_000;

/** One step at a time, in virtual time: when nothing is ready, time jumps to the next step. */
export function createScheduler({ start, chance, isShuffled, before, enter }: Options): Scheduler {
  let now = start;
  let lastOrder = 0;
  let steps: Step[] = [];
  let prolonged = 0;

  /** A process that stands still does all that it missed when it goes on. */
  const isStalled = (step: Step): boolean => {
    const until = step.owner?.stalledUntil ?? 0;
    if (until <= now) return false;
    step.at = until;
    steps.push(step);
    return true;
  };
  const takeNext = (): Step | undefined => {
    let first = Infinity;
    for (const { at } of steps) if (at < first) first = at;
    if (first === Infinity) return undefined;
    now = Math.max(now, first);
    const ready = steps.filter(({ at }) => at <= now);
    const next = isShuffled ? chance.pick(ready) : ready.toSorted(byOrder)[0];
    steps.splice(steps.indexOf(next as Step), 1);
    return next;
  };

  return {
    now: () => now,
    after: (ms, owner, run) => {
      const step = { at: now + Math.max(0, ms), order: (lastOrder += 1), owner, run };
      steps.push(step);
      return () => {
        const index = steps.indexOf(step);
        if (index !== -1) steps.splice(index, 1);
      };
    },
    prolongStep: () => {
      prolonged += 1;
      return () => void (prolonged -= 1);
    },
    drop: (owner) => void (steps = steps.filter((step) => step.owner !== owner)),
    runUntil: async (isDone) => {
      for (let taken = 0; taken < MOST_STEPS; taken += 1) {
        do await untilQuiet();
        while (prolonged > 0);
        if (isDone()) return;
        const step = takeNext();
        if (!step) throw new Error('nothing is left to run, and the run is not done');
        if (isStalled(step)) continue;
        if (step.owner) before(step.owner);
        if (step.owner?.isAlive === false || isStalled(step)) continue;
        if (step.owner) enter(step.owner);
        await step.run();
      }
      throw new Error(`the run is not done after ${MOST_STEPS} steps`);
    },
  };
}

const byOrder = (one: Step, other: Step) => one.at - other.at || one.order - other.order;

const { setImmediate: onNextIteration } = globalThis;

/** Until every promise has run its reactions: the event loop goes on when none is left. Nothing else waits in it. */
async function untilQuiet(): Promise<void> {
  await new Promise<void>((resolve) => void onNextIteration(resolve));
}
