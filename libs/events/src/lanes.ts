/** One thing to do, in line behind everything of its lane. */
interface Job {
  run: () => Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface Lanes {
  /** Settles as `run` does. Rejects with `Dropped` when `drop` came first. */
  add(lane: string, run: () => Promise<void>): Promise<void>;
  hold(): void;
  release(): void;
  /** Rejects everything that has not begun; what has begun is not touched. */
  drop(belongs?: (lane: string) => boolean): void;
}

export class Dropped extends Error {}

interface Lane {
  name: string;
  waiting: Job[];
}

/** Up to `limit` jobs at once, never two of one lane: that is how order per key and concurrency go together. */
export function createLanes(limit: () => number): Lanes {
  /** Those in which something runs or waits. */
  const lanes = new Map<string, Lane>();
  const ready: Lane[] = [];
  let running = 0;
  let held = false;

  const open = (lane: Lane): Lane => (lanes.set(lane.name, lane), lane);
  const finish = (lane: Lane): void => {
    running -= 1;
    if (lane.waiting.length > 0) ready.push(lane);
    else lanes.delete(lane.name);
    pump();
  };

  const begin = (lane: Lane, run: () => Promise<void>): Promise<void> => {
    running += 1;
    const done = run();
    const after = () => finish(lane);
    done.then(after, after);
    return done;
  };

  const pump = (): void => {
    while (!held && running < limit()) {
      const lane = ready.shift();
      if (!lane) return;
      const job = lane.waiting.shift();
      if (job) begin(lane, job.run).then(job.resolve, job.reject);
      else lanes.delete(lane.name);
    }
  };

  const wait = (name: string, run: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const job = { run, resolve, reject };
      const known = lanes.get(name);
      if (known) return void known.waiting.push(job);
      ready.push(open({ name, waiting: [job] }));
      pump();
    });

  return {
    add: (name, run) => {
      // Most find their lane empty and room to run: they need not stand in line.
      if (held || ready.length > 0 || running >= limit() || lanes.has(name)) return wait(name, run);
      return begin(open({ name, waiting: [] }), run);
    },
    hold: () => void (held = true),
    release: () => {
      held = false;
      pump();
    },
    drop: (belongs = () => true) => {
      for (const lane of lanes.values()) if (belongs(lane.name)) empty(lane);
    },
  };
}

function empty({ waiting }: Lane): void {
  for (const job of waiting.splice(0)) job.reject(new Dropped('not begun'));
}
