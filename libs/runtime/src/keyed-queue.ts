import { AsyncResource } from 'node:async_hooks';

/** One thing to do, in line behind everything of its key. */
interface Job {
  begin: () => Promise<void>;
  reject: (error: unknown) => void;
}

/** Gives the slot of a job to others while it waits. Its key's line stays closed. */
export type Rest = (wait: () => Promise<void>) => Promise<void>;

export interface KeyedQueue {
  /**
   * Resolves or rejects as `run` does. Rejects with `Dropped` when `drop` came first. Owners are served in rotation, and within an
   * owner the next ones of the list: an owner with many jobs under many keys delays only itself.
   */
  add<T>(key: string, run: (rest: Rest) => Promise<T>, owners?: readonly string[]): Promise<T>;
  hold(): void;
  release(): void;
  /** Rejects everything that has not begun; what has begun is not touched. */
  drop(belongs?: (key: string) => boolean): void;
}

export class Dropped extends Error {}

interface Line {
  key: string;
  owners: readonly string[];
  waiting: Job[];
}

/** Up to `limit` jobs at once, never two of one key: that is how order per key and concurrency go together. */
export function createKeyedQueue(limit: () => number = () => Infinity): KeyedQueue {
  /** Those in which something runs or waits. */
  const lines = new Map<string, Line>();
  const ready = createRoundRobin();
  const slots = createSlots(limit);

  const open = (line: Line): Line => (lines.set(line.key, line), line);
  const finish = (line: Line): void => {
    slots.give();
    if (line.waiting.length > 0) ready.push(line);
    else lines.delete(line.key);
    pump();
  };
  const pump = (): void => {
    while (slots.free()) {
      const line = ready.shift();
      if (!line) return;
      const job = line.waiting.shift();
      if (job) void job.begin();
      else lines.delete(line.key);
    }
  };
  const begin = <T>(line: Line, run: (rest: Rest) => Promise<T>): Promise<T> => {
    slots.take();
    const done = run((waiting) => rest(line, waiting, { slots, ready, pump }));
    const after = () => finish(line);
    done.then(after, after);
    return done;
  };

  const wait = <T>(key: string, run: (rest: Rest) => Promise<T>, owners: readonly string[]): Promise<T> =>
    new Promise((resolve, reject) => {
      const asked = inItsTrace(run);
      const known = lines.get(key);
      const line = known ?? open({ key, owners, waiting: [] });
      line.waiting.push({ begin: () => begin(line, asked).then(resolve, reject), reject });
      if (known) return;
      ready.push(line);
      pump();
    });

  return {
    add: (key, run, owners = [key]) => {
      // Most find nothing of their key and room to run: they need not stand in line.
      if (!slots.free() || ready.size() > 0 || lines.has(key)) return wait(key, run, owners);
      return begin(open({ key, owners, waiting: [] }), run);
    },
    hold: slots.hold,
    release: () => {
      slots.release();
      pump();
    },
    drop: (belongs = () => true) => {
      for (const line of lines.values()) if (belongs(line.key)) empty(line);
    },
  };
}

type Slots = ReturnType<typeof createSlots>;

function createSlots(limit: () => number) {
  let taken = 0;
  let held = false;
  return {
    free: (): boolean => !held && taken < limit(),
    isHeld: (): boolean => held,
    take: (): void => void (taken += 1),
    give: (): void => void (taken -= 1),
    hold: (): void => void (held = true),
    release: (): void => void (held = false),
  };
}

/**
 * Gives the slot of a job to others until its wait is over, then takes the next one that is free. While nothing is begun
 * it goes on at once, because it was begun before; so does one whose wait was broken off, because it ends.
 */
async function rest(
  line: Line,
  wait: () => Promise<void>,
  { slots, ready, pump }: { slots: Slots; ready: RoundRobin; pump: () => void },
): Promise<void> {
  slots.give();
  pump();
  await wait().catch((error: unknown) => {
    slots.take();
    throw error;
  });
  if (slots.isHeld() || (ready.size() === 0 && slots.free())) return slots.take();
  await new Promise<void>((resolve, reject) => {
    const goOn = (end: () => void): void => {
      slots.take();
      end();
    };
    line.waiting.unshift({ begin: async () => goOn(resolve), reject: (error) => goOn(() => reject(error as Error)) });
    ready.push(line);
    pump();
  });
}

interface RoundRobin {
  size(): number;
  push(line: Line, owners?: readonly string[]): void;
  shift(): Line | undefined;
}

/** Lines that may go on, one of each owner after the other. */
function createRoundRobin(): RoundRobin {
  const lines: Line[] = [];
  const ofOwner = new Map<string, RoundRobin>();
  return {
    size: () => lines.length + ofOwner.size,
    push: (line, [owner, ...others] = line.owners) => {
      if (owner === undefined) return void lines.push(line);
      const queue = ofOwner.get(owner) ?? createRoundRobin();
      ofOwner.set(owner, queue);
      queue.push(line, others);
    },
    shift: () => {
      const [first] = ofOwner;
      if (!first) return lines.shift();
      const [owner, queue] = first;
      const line = queue.shift();
      ofOwner.delete(owner);
      if (queue.size() > 0) ofOwner.set(owner, queue);
      return line;
    },
  };
}

function empty({ waiting }: Line): void {
  for (const job of waiting.splice(0)) job.reject(new Dropped('not begun'));
}

/** It is begun by whoever ends before it, and stays a part of the trace in which it was asked for. */
function inItsTrace<T>(run: (rest: Rest) => Promise<T>): (rest: Rest) => Promise<T> {
  const asked = new AsyncResource('queued', { requireManualDestroy: true });
  return (rest) => asked.runInAsyncScope(() => run(rest));
}
