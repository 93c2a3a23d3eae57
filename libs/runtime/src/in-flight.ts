export interface InFlight {
  /** Starts the task once fewer than the limit are running; throws what an earlier one has thrown. */
  add(task: () => Promise<void>): Promise<void>;
  /** Waits for all of them; throws what the first of them has thrown. */
  drain(): Promise<void>;
}

/** A few tasks at a time: enough to keep the other side busy, too few to fill the memory. */
export function createInFlight(limit: number): InFlight {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  const start = (task: () => Promise<void>) => {
    const tracked = task()
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        running.delete(tracked);
      });
    running.add(tracked);
  };
  const throwFailure = () => {
    if (failure) throw failure.error;
  };

  return {
    add: async (task) => {
      while (running.size >= limit) await Promise.race(running);
      throwFailure();
      start(task);
    },
    drain: async () => {
      await Promise.all(running);
      throwFailure();
    },
  };
}
