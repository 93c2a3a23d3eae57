import { isDeepStrictEqual } from 'node:util';
import type { Standing } from './audit.ts';

export interface Progress {
  /** The state at the last check. */
  now(): Standing | undefined;
  isOver(): boolean;
  /** The time without progress. */
  stillMs(): number;
  /** Resolves when all is done; rejects when nothing moves any more. */
  over: Promise<void>;
}

interface Watching {
  read(): Promise<Standing>;
  goal: Standing;
  /** Each check takes processor time from the services that the test waits for. */
  everyMs: number;
  tell(standing: Standing): void;
  /** Describes in words what waits, when there is no progress. */
  describe(): Promise<string>;
}

const TOLD_EVERY_MS = 30_000;
/** The sweeps take up leftover work within ten minutes. */
const STANDSTILL_MS = 700_000;
/** After this time without progress, the output describes what waits. */
const DESCRIBED_AFTER_MS = 90_000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function watchProgress({ read, goal, everyMs, tell, describe }: Watching): Progress {
  let known: Standing | undefined;
  let isOver = false;
  let movedAt = Date.now();
  const watching = async (): Promise<void> => {
    let toldAt = movedAt;
    for (; ; await pause(everyMs)) {
      const found = await read();
      if (!isDeepStrictEqual(found, known)) movedAt = Date.now();
      known = found;
      if (isDeepStrictEqual(found, goal)) return;
      const stillMs = Date.now() - movedAt;
      if (stillMs > STANDSTILL_MS)
        throw new Error(`stands still at ${JSON.stringify(found)} of ${JSON.stringify(goal)}\n${await describe()}`);
      if (Date.now() - toldAt < TOLD_EVERY_MS) continue;
      toldAt = Date.now();
      tell(found);
      if (stillMs > DESCRIBED_AFTER_MS) process.stdout.write(`${await describe()}\n`);
    }
  };
  const over = watching().finally(() => (isOver = true));
  return { now: () => known, isOver: () => isOver, stillMs: () => Date.now() - movedAt, over };
}
