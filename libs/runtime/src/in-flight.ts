interface InFlight {
  /** Starts the task once fewer than the limit are running. It throws the error of an earlier task, if one failed. */
  add(task: () => Promise<void>): Promise<void>;
  /** Waits for all tasks. It throws the first error, if one failed. */
  drain(): Promise<void>;
}

/** Runs a few tasks at a time: enough to keep the other side busy, too few to fill the memory. */
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
