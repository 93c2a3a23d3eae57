import type { ServiceContext } from '@postroom/runtime/service';
import { seededIds } from '@postroom/runtime/ids';
import { noTracing } from '@postroom/runtime/tracing';
import type { Owner } from './scheduler.ts';
import type { World } from './world.ts';

/** One process of the simulation: a pod between its start and its death, or a peer that never dies. */
export interface Process extends Owner {
  name: string;
  /** Called once at its death. */
  onDeath: (() => void)[];
  world: World;
  context: ServiceContext;
}

/**
 * One step runs at a time, and what it sets off is over before the next one begins. So the owner of the step is the owner of
 * all code that runs in it. `AsyncLocalStorage` would tell the same, and makes every promise of the process slower.
 */
let current: Process | undefined;
const { nextTick } = globalThis.process;

/** The process whose code runs now. */
export const currentProcess = (): Process | undefined => current;

/** The code that runs from now on belongs to this process, until no reaction of a promise is left. Then others may run. */
export function enter(process: Process): void {
  current = process;
  queueMicrotask(() => nextTick(() => (current = undefined)));
}

/** Runs code of a process. In a step of another owner, what the code awaits belongs to that owner. */
export function within<T>(process: Process, code: () => T): T {
  const before = current;
  current = process;
  try {
    return code();
  } finally {
    current = before;
  }
}

/** Of a pod, from the true time. */
export const FARTHEST_CLOCK_MS = 1_500;

export function createProcess(world: World, name: string): Process {
  const process = { name, isAlive: true, onDeath: [], world } as Omit<Process, 'context'> as Process;
  const skew = world.faults.isOn('clocks') ? world.chance.between(-FARTHEST_CLOCK_MS, FARTHEST_CLOCK_MS) : 0;
  if (skew !== 0) world.trace.say(name, `has a clock that is ${skew} ms off`);
  process.context = contextOf(process, skew, seededIds(world.chance.below(2 ** 31)));
  return process;
}

function contextOf(process: Process, skew: number, ids: ServiceContext['ids']): ServiceContext {
  const { world, name } = process;
  const now = () => world.now() + skew;
  const say = (facts: unknown, line?: string) =>
    world.trace.say(name, `says: ${line ?? String(facts)}${causeIn(facts)}`);
  const quiet = () => undefined;
  const log = { trace: quiet, debug: quiet, info: quiet, warn: say, error: say, fatal: say, child: () => log };
  const nothing = { add: quiet, record: quiet };
  return {
    name,
    ids,
    log,
    tracing: noTracing,
    clock: {
      now,
      date: () => new Date(now()),
      sleep: (ms: number, signal?: AbortSignal) => sleep(process, ms, signal),
    },
    lifecycle: { add: quiet, close: async () => undefined },
    metrics: { counter: () => nothing, histogram: () => nothing, gauge: quiet },
  } as unknown as ServiceContext;
}

/** Without the stack, which differs from machine to machine. */
function causeIn(facts: unknown): string {
  const { err } = (facts ?? {}) as { err?: unknown };
  return err instanceof Error ? ` (${err.name}: ${err.message})` : '';
}

/** A dead process never wakes. */
function sleep(process: Process, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const abort = () => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = process.world.after(ms, process, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Hears of the death of a process, until the returned call. */
export function onDeath({ onDeath: hearers }: Process, hear: () => void): () => void {
  hearers.push(hear);
  return () => {
    const index = hearers.indexOf(hear);
    if (index !== -1) hearers.splice(index, 1);
  };
}
