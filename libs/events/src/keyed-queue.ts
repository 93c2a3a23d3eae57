import { AsyncResource } from 'node:async_hooks';

/** One thing to do, in line behind everything of its key. */
interface Job {
  begin: () => Promise<void>;
  reject: (error: unknown) => void;
}

export interface KeyedQueue {
  /**
   * Settles as `run` does. Rejects with `Dropped` when `drop` came first. Owners take turns, and within each of them those
   * named behind him: whoever has much to do under many keys holds up himself alone.
   */
  add<T>(key: string, run: () => Promise<T>, owners?: readonly string[]): Promise<T>;
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
  const ready = createTurns();
  let running = 0;
  let held = false;

  const open = (line: Line): Line => (lines.set(line.key, line), line);
  const finish = (line: Line): void => {
    running -= 1;
    if (line.waiting.length > 0) ready.push(line);
    else lines.delete(line.key);
    pump();
  };

  const begin = <T>(line: Line, run: () => Promise<T>): Promise<T> => {
    running += 1;
    const done = run();
    const after = () => finish(line);
    done.then(after, after);
    return done;
  };

  const pump = (): void => {
    while (!held && running < limit()) {
      const line = ready.shift();
      if (!line) return;
      const job = line.waiting.shift();
      if (job) void job.begin();
      else lines.delete(line.key);
    }
  };

  const wait = <T>(key: string, run: () => Promise<T>, owners: readonly string[]): Promise<T> =>
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
      if (held || ready.size() > 0 || running >= limit() || lines.has(key)) return wait(key, run, owners);
      return begin(open({ key, owners, waiting: [] }), run);
    },
    hold: () => void (held = true),
    release: () => {
      held = false;
      pump();
    },
    drop: (belongs = () => true) => {
      for (const line of lines.values()) if (belongs(line.key)) empty(line);
    },
  };
}

interface Turns {
  size(): number;
  push(line: Line, owners?: readonly string[]): void;
  shift(): Line | undefined;
}

/** Lines that may go on, one of each owner after the other. */
function createTurns(): Turns {
  const lines: Line[] = [];
  const turnsOf = new Map<string, Turns>();
  return {
    size: () => lines.length + turnsOf.size,
    push: (line, [owner, ...others] = line.owners) => {
      if (owner === undefined) return void lines.push(line);
      const turns = turnsOf.get(owner) ?? createTurns();
      turnsOf.set(owner, turns);
      turns.push(line, others);
    },
    shift: () => {
      const [first] = turnsOf;
      if (!first) return lines.shift();
      const [owner, turns] = first;
      const line = turns.shift();
      turnsOf.delete(owner);
      if (turns.size() > 0) turnsOf.set(owner, turns);
      return line;
    },
  };
}

function empty({ waiting }: Line): void {
  for (const job of waiting.splice(0)) job.reject(new Dropped('not begun'));
}

/** It is begun by whoever ends before it, and stays a part of the trace in which it was asked for. */
function inItsTrace<T>(run: () => Promise<T>): () => Promise<T> {
  const asked = new AsyncResource('queued', { requireManualDestroy: true });
  return () => asked.runInAsyncScope(run);
}
