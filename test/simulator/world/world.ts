import type { Chance } from './chance.ts';
import { chanceOf } from './chance.ts';
import { createFaults, type FaultChoice, type Faults } from './faults.ts';
import { createDatabase, type Database } from './database.ts';
import { enter, type Process } from './process.ts';
import { createScheduler, type Owner, type Scheduler } from './scheduler.ts';
import { createTrace, type Trace } from './trace.ts';

export interface World extends Pick<Scheduler, 'now' | 'after' | 'runUntil'> {
  chance: Chance;
  faults: Faults;
  trace: Trace;
  database: Database;
  scheduler: Scheduler;
  /** The usual time of a message, or seconds where that fault strikes. */
  latency(): number;
  /** In this time the database refuses every write. */
  fullDisk: { from: number; until: number };
  kill(process: Process): void;
  /** Asked before each step of a process; it may kill that process. */
  beforeStep: (process: Process) => void;
}

const START = Date.parse('2026-01-01T00:00:00Z');
const LONGEST_USUAL_MS = 8;
const LONGEST_DELAY_MS = 4_000;
const LATEST_FULL_DISK_MS = 15_000;
const LENGTH_OF_FULL_DISK_MS = { least: 500, most: 120_000 };

export function createWorld(seed: number, choice: FaultChoice): World {
  const chance = chanceOf(seed);
  const faults = createFaults(chance.fork(), choice);
  const order = chance.fork();
  const scheduler: Scheduler = createScheduler({
    start: START,
    chance: order,
    isShuffled: faults.isOn('order'),
    before: (owner: Owner) => world.beforeStep(owner as Process),
    enter: (owner) => enter(owner as Process),
  });
  const trace = createTrace(scheduler.now);
  const world: World = {
    now: scheduler.now,
    after: scheduler.after,
    runUntil: scheduler.runUntil,
    chance,
    faults,
    trace,
    scheduler,
    database: createDatabase(),
    latency: () => (faults.strikes('delays') ? chance.below(LONGEST_DELAY_MS) : chance.below(LONGEST_USUAL_MS)),
    fullDisk: drawFullDisk(chance.fork(), faults.isOn('fullDisk')),
    kill: (process) => {
      process.isAlive = false;
      scheduler.drop(process);
      for (const hear of process.onDeath.splice(0)) hear();
    },
    beforeStep: () => undefined,
  };
  return world;
}

function drawFullDisk(chance: Chance, isOn: boolean): World['fullDisk'] {
  const from = START + chance.below(LATEST_FULL_DISK_MS);
  const { least, most } = LENGTH_OF_FULL_DISK_MS;
  return { from, until: isOn ? from + chance.between(least, most) : from };
}
