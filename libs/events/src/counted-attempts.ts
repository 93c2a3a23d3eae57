import type { Log } from '@postroom/runtime/log';
import { createMutex } from '@postroom/runtime/mutex';
import { NoMoreAttempts, RetryLater } from './bus.ts';

/** Counts the attempts that have begun and not ended, in storage that outlives the process. */
export interface AttemptsStore {
  /** Counts one more, and returns the new count; undefined while another attempt may be in work. */
  begin(workspaceId: string, id: string): Promise<number | undefined>;
  takeBack(workspaceId: string, id: string): Promise<void>;
  /** Forgets all attempts. */
  end(workspaceId: string, id: string): Promise<void>;
}

export interface CountedAttempts {
  /**
   * Throws `EndedItsProcess` instead of the work that has ended its process too often, and `RetryLater` while another
   * attempt may be in work.
   */
  attempt<T>(workspaceId: string, id: string, work: () => Promise<T>): Promise<T>;
  /** Gives the work its attempts back. */
  forget(workspaceId: string, id: string): Promise<void>;
}

/** All work of a process has its death in common. After this number of deaths in a row, work is a suspect. */
const DEATHS_OF_A_SUSPECT = 2;
const MOST_DEATHS = 5;
const AGAIN_MS = 5_000;

export class EndedItsProcess extends NoMoreAttempts {
  override readonly name = 'EndedItsProcess';
  constructor() {
    super(`the process ended in each of ${MOST_DEATHS} attempts`);
  }
}

/**
 * Bounds how often one email can end the process that works on it. An attempt is counted before the work, because nothing
 * is stored after a death, and forgotten when the work ends, well or not. Suspects are worked on one at a time, so that
 * only the guilty one is in work when the process ends.
 */
export function createCountedAttempts(store: AttemptsStore, log: Log): CountedAttempts {
  const suspects = createMutex();

  const ending = async <T>(workspaceId: string, id: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      await store.end(workspaceId, id).catch((error: unknown) => {
        log.warn({ err: error, id }, 'an ended attempt stays counted; the next attempt that ends takes it off');
      });
    }
  };
  const begin = async (workspaceId: string, id: string): Promise<number> => {
    const attempts = await store.begin(workspaceId, id);
    if (attempts === undefined) throw new RetryLater(AGAIN_MS, new Error('another attempt may be in work'));
    return attempts;
  };
  return {
    forget: store.end,
    attempt: async (workspaceId, id, work) => {
      const attempts = await begin(workspaceId, id);
      if (attempts <= DEATHS_OF_A_SUSPECT) return ending(workspaceId, id, work);
      // A suspect that waits for another one has not begun.
      await store.takeBack(workspaceId, id);
      return suspects.run(async () => {
        if ((await begin(workspaceId, id)) <= MOST_DEATHS) return ending(workspaceId, id, work);
        await store.takeBack(workspaceId, id);
        throw new EndedItsProcess();
      });
    },
  };
}
