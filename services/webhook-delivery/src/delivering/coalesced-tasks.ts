import type { ServiceContext } from '@postroom/runtime/service';
import { Stopped } from './make-attempts.ts';

const AGAIN_MS = 2_000;

interface Running {
  isWanted: boolean;
  over: Promise<void>;
}

/** Runs one task of a name at a time. A call during the run leads to another one; a run that fails is tried again. */
export function createCoalescedTasks({ clock, log }: Pick<ServiceContext, 'clock' | 'log'>, signal: AbortSignal) {
  const running = new Map<string, Running>();

  const work = async (name: string, state: Running, task: () => Promise<void>): Promise<void> => {
    while (state.isWanted && !signal.aborted) {
      state.isWanted = false;
      try {
        await task();
      } catch (error) {
        if (signal.aborted || error instanceof Stopped) continue;
        log.warn({ err: error }, 'deliveries of an endpoint could not go on; they are tried again');
        state.isWanted = true;
        await clock.sleep(AGAIN_MS, signal).catch(() => undefined);
      }
    }
    running.delete(name);
  };
  return {
    isRunning: (name: string): boolean => running.has(name),
    run: (name: string, task: () => Promise<void>): void => {
      const state = running.get(name);
      if (state) state.isWanted = true;
      else {
        const fresh: Running = { isWanted: true, over: Promise.resolve() };
        running.set(name, fresh);
        fresh.over = work(name, fresh, task);
      }
    },
    /** Resolves when the task of this name does not run. */
    ended: async (name: string): Promise<void> => running.get(name)?.over,
    over: async (): Promise<void> => {
      await Promise.all([...running.values()].map(({ over }) => over));
    },
  };
}
