import { storedName } from '@postroom/mail-store/stored-names';
import type { World } from './world/world.ts';

/** The broken promises, each with its faults in words. */
export type Broken = Readonly<Record<string, readonly string[]>>;

/** Something that services do, played to its end in one world. `count` says how much of it. */
export type Workload = (world: World, count: number) => Promise<Broken>;

/** Returns the faults in words; none where the promise holds. */
export type Promises<Outcome> = Readonly<Record<string, (outcome: Outcome) => string[]>>;

/** Faults strike for so long. It is shorter than the pauses of five attempts. */
const FAULTS_MS = 25_000;
/** Nothing may take longer than this behind the last fault. A send that a call reserved and left ends after ten minutes. */
const LONGEST_MS = 750_000;
const EVERY_MS = 2_000;
/** The sweeps run at least once in it, so that a second effect shows. */
const QUIET_MS = 12_000;

/** Ends the faults after a while. Returns the time after which none strikes. */
export function endFaultsLater(world: World): number {
  world.after(FAULTS_MS, undefined, () => world.faults.end());
  return Math.max(world.now() + FAULTS_MS, world.fullDisk.until);
}

/** Polls until every promise holds, and goes on for a while, so that what is done twice shows. */
export async function playToEnd<Outcome>(
  world: World,
  calmAt: number,
  promises: Promises<Outcome>,
  outcome: () => Promise<Outcome | undefined>,
): Promise<Broken> {
  let broken: Broken = { 'the run comes to an end': ['some of its work is not done'] };
  let unkept: string | undefined;
  let doneAt: number | undefined;
  let isOver = false;
  const poll = async (): Promise<void> => {
    const now = await outcome();
    unkept = now && firstBroken(promises, now, unkept);
    doneAt = now && unkept === undefined ? (doneAt ?? world.now()) : undefined;
    const isQuiet = doneAt !== undefined && world.now() >= Math.max(calmAt, doneAt) + QUIET_MS;
    isOver = isQuiet || world.now() > calmAt + LONGEST_MS;
    if (isOver && now) broken = brokenOf(promises, now);
    world.after(EVERY_MS, undefined, poll);
  };
  world.after(EVERY_MS, undefined, poll);
  await world.runUntil(() => isOver);
  return broken;
}

/** One promise that does not hold, where there is one. While work goes on, that of the last poll is still not kept. */
function firstBroken<Outcome>(promises: Promises<Outcome>, outcome: Outcome, last = ''): string | undefined {
  const isBroken = (name: string) => (promises[name]?.(outcome) ?? []).length > 0;
  return isBroken(last) ? last : Object.keys(promises).find(isBroken);
}

function brokenOf<Outcome>(promises: Promises<Outcome>, outcome: Outcome): Broken {
  const found = Object.entries(promises).map(([name, holds]) => [name, holds(outcome)] as const);
  return Object.fromEntries(found.filter(([, faults]) => faults.length > 0));
}

/** Each document of a collection, at this moment and without a step. */
export async function findAll<T>({ database }: World, collection: string, projection: Record<string, 1>): Promise<T[]> {
  const { cursor } = await database.run({ find: storedName(collection), filter: {}, projection, batchSize: 10_000 });
  return (cursor as { firstBatch: T[] }).firstBatch;
}
