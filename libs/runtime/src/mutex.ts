export interface Mutex {
  /** Runs the task when every earlier caller is done. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Waits for the mutex. The caller calls the returned function once to release it. */
  acquire(): Promise<() => void>;
}

/** One caller at a time, in the order of their calls. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  const acquire: Mutex['acquire'] = async () => {
    let release = () => {};
    const before = last;
    last = new Promise<void>((resolve) => (release = resolve));
    await before;
    return release;
  };
  return {
    acquire,
    run: async (task) => {
      const release = await acquire();
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
}
