import type { ServiceContext } from '@postroom/runtime/service';

export interface Repeating {
  close(): Promise<void>;
}

/** Repeats a task with pauses. A failure is logged, and the next run tries again. */
export function repeat(
  what: string,
  restMs: number,
  work: () => Promise<unknown>,
  { clock, log }: Pick<ServiceContext, 'clock' | 'log'>,
): Repeating {
  const over = new AbortController();
  const running = (async () => {
    while (!over.signal.aborted) {
      await work().catch((error: unknown) => log.warn({ err: error, what }, 'failed, and is tried again'));
      await clock.sleep(restMs, over.signal);
    }
  })().catch(() => undefined);
  return {
    close: async () => {
      over.abort(new Error('closing'));
      await running;
    },
  };
}
