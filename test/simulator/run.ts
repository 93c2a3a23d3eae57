import { createMutex } from '@postroom/runtime/mutex';
import { arriving } from './arriving/arriving.ts';
import { calls } from './calls/calls.ts';
import { feed } from './feed/feed.ts';
import { ingest } from './ingest/ingest.ts';
import { rules } from './rules/rules.ts';
import { sending } from './sending/sending.ts';
import { sync } from './sync/sync.ts';
import type { Broken } from './workload.ts';
import type { FaultChoice } from './world/faults.ts';
import { webhooks } from './webhooks/webhooks.ts';
import { createWorld, type World } from './world/world.ts';

export const WORKLOADS = { arriving, calls, feed, ingest, rules, sending, sync, webhooks };
export type WorkloadName = keyof typeof WORKLOADS;

export interface RunOptions extends FaultChoice {
  /** `arriving` by itself. */
  workload?: WorkloadName | undefined;
  emails?: number | undefined;
}

export interface RunResult {
  seed: number;
  broken: Broken;
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

/** One run of a workload, from a seed. Equal options give equal runs. */
export function run(seed: number, options: RunOptions = {}): Promise<RunResult> {
  return oneAtATime.run(() => runNow(seed, options));
}

async function runNow(
  seed: number,
  { workload = 'arriving', emails = USUAL_EMAILS, ...choice }: RunOptions,
): Promise<RunResult> {
  const world = createWorld(seed, choice);
  const begun = world.now();
  const broken = await brokenPromises(world, workload, emails);
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

async function brokenPromises(world: World, workload: WorkloadName, emails: number): Promise<Broken> {
  try {
    return await WORKLOADS[workload](world, emails);
  } catch (error) {
    return { 'the run comes to an end': [String(error)] };
  }
}
