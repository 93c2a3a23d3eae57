import { isDeepStrictEqual } from 'node:util';
import type { Standing } from './audit.ts';

export interface Progress {
  /** As it was at the last look. */
  now(): Standing | undefined;
  isOver(): boolean;
  /** For how long nothing has moved. */
  stillMs(): number;
  /** Resolves when all is done; rejects when nothing moves any more. */
  over: Promise<void>;
}

interface Watching {
  look(): Promise<Standing>;
  goal: Standing;
  /** To look is work, and takes the processor from those who are waited for. */
  everyMs: number;
  tell(standing: Standing): void;
  /** Nothing moves: what is it that waits, in words. */
  describe(): Promise<string>;
}

const TOLD_EVERY_MS = 30_000;
/** Whoever sweeps up what was left comes within ten minutes. */
const STANDSTILL_MS = 700_000;
/** Whoever reads along wants to know what waits while it does. */
const DESCRIBED_AFTER_MS = 90_000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function watchProgress({ look, goal, everyMs, tell, describe }: Watching): Progress {
  let known: Standing | undefined;
  let isOver = false;
  let movedAt = Date.now();
  const watching = async (): Promise<void> => {
    let toldAt = movedAt;
    for (; ; await pause(everyMs)) {
      const found = await look();
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
