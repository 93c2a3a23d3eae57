import { createMutex } from '@postroom/runtime/mutex';
import { runArriving } from './arriving/arriving.ts';
import { promises } from './arriving/promises.ts';
import type { FaultChoice } from './world/faults.ts';
import { createWorld, type World } from './world/world.ts';

export interface RunOptions extends FaultChoice {
  emails?: number | undefined;
}

export interface RunResult {
  seed: number;
  /** The broken promises, each with its faults in words. */
  broken: Readonly<Record<string, readonly string[]>>;
  /** The strikes of each fault. */
  strikes: Readonly<Record<string, number>>;
  /** The number of strikes that the seed drew. */
  drawn: number;
  /** Virtual time. */
  seconds: number;
  hash: string;
  trace: readonly string[];
}

export const USUAL_EMAILS = 16;

/** Two runs at once would share the timers of the process. */
const oneAtATime = createMutex();

/** One run of the workload `arriving`, from a seed. Equal options give equal runs. */
export function run(seed: number, options: RunOptions = {}): Promise<RunResult> {
  return oneAtATime.run(() => runNow(seed, options));
}

async function runNow(seed: number, { emails = USUAL_EMAILS, ...choice }: RunOptions): Promise<RunResult> {
  const world = createWorld(seed, choice);
  const begun = world.now();
  const broken = await brokenPromises(world, emails);
  for (const [name, faults] of Object.entries(broken)) {
    for (const fault of faults) world.trace.say('BROKEN', `${name}: ${fault}`);
  }
  return {
    seed,
    broken,
    strikes: world.faults.counts(),
    drawn: world.faults.drawn(),
    seconds: (world.now() - begun) / 1_000,
    hash: world.trace.hash(),
    trace: world.trace.lines(),
  };
}

async function brokenPromises(world: World, emails: number): Promise<Record<string, readonly string[]>> {
  try {
    const outcome = await runArriving(world, emails);
    const found = Object.entries(promises).map(([name, holds]) => [name, holds(outcome)] as const);
    return Object.fromEntries(found.filter(([, faults]) => faults.length > 0));
  } catch (error) {
    return { 'the run comes to an end': [String(error)] };
  }
}
