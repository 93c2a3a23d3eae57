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

/** Up to `limit` jobs at once, never two of one lane: that is how order per key and concurrency go together. */
export function createLanes(limit: () => number): Lanes {
  const queues = new Map<string, Job[]>();
  const ready: string[] = [];
  const busy = new Set<string>();
  let held = false;

  const finish = (lane: string): void => {
    busy.delete(lane);
    const queue = queues.get(lane);
    if (queue && queue.length > 0) ready.push(lane);
    else queues.delete(lane);
    pump();
  };

  const start = (lane: string): void => {
    const job = queues.get(lane)?.shift();
    if (!job) return void queues.delete(lane);
    busy.add(lane);
    const settled = (settle: () => void): void => {
      settle();
      finish(lane);
    };
    job.run().then(
      () => settled(job.resolve),
      (error: unknown) => settled(() => job.reject(error)),
    );
  };

  const pump = (): void => {
    while (!held && busy.size < limit()) {
      const lane = ready.shift();
      if (lane === undefined) return;
      start(lane);
    }
  };

  return {
    add: (lane, run) =>
      new Promise<void>((resolve, reject) => {
        const queue = queues.get(lane);
        if (queue) queue.push({ run, resolve, reject });
        else {
          queues.set(lane, [{ run, resolve, reject }]);
          ready.push(lane);
        }
        pump();
      }),
    hold: () => void (held = true),
    release: () => {
      held = false;
      pump();
    },
    drop: (belongs = () => true) => {
      for (const [lane, queue] of queues) {
        if (belongs(lane)) for (const job of queue.splice(0)) job.reject(new Dropped('not begun'));
      }
    },
  };
}
