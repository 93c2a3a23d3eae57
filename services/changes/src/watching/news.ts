import { setMaxListeners } from 'node:events';
import { abortedByAny } from '@postroom/runtime/abort';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { FeedStore } from '../feed/change-store.ts';

interface Deps {
  changes: Pick<FeedStore, 'everyWorkspacesNewest'>;
  context: { clock: Clock; log: Log };
}

interface Waiter {
  after: number;
  wake: () => void;
}

export interface Watch {
  over: Promise<void>;
  end: () => void;
}

const EVERY_MS = 500;
/** Clocks of other processes may be so much behind. */
const SLACK_MS = 2_000;

export type News = ReturnType<typeof createNews>;

/** Wakes those who wait for a change: at once for what this process appends, by a poll for what others do. */
export function createNews({ changes, context: { clock, log } }: Deps) {
  const waiting = new Map<string, Set<Waiter>>();
  const closing = new AbortController();
  // One listener for everybody who waits.
  setMaxListeners(0, closing.signal);

  const tell = (workspaceId: string, seq: number): void => {
    for (const waiter of waiting.get(workspaceId) ?? []) if (seq > waiter.after) waiter.wake();
  };
  const poll = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const since = new Date(clock.now() - SLACK_MS);
      await clock.sleep(EVERY_MS, closing.signal).catch(() => undefined);
      if (waiting.size === 0) continue;
      try {
        for (const { workspaceId, seq } of await changes.everyWorkspacesNewest(since)) tell(workspaceId, seq);
      } catch (error) {
        log.warn({ err: error }, 'the poll for new changes failed; the next one tries again');
      }
    }
  };
  const polling = poll();

  return {
    tell,

    /** Over when a change behind this number is told of, the time has passed, the signal is aborted, or at `end`. */
    wait(workspaceId: string, after: number, ms: number, signal: AbortSignal): Watch {
      const done = new AbortController();
      const waiter: Waiter = { after, wake: () => done.abort() };
      const waiters = waiting.get(workspaceId) ?? new Set();
      waiting.set(workspaceId, waiters.add(waiter));
      const sleep = () =>
        abortedByAny([signal, closing.signal, done.signal], (any) => clock.sleep(ms, any)).catch(() => undefined);
      const over = sleep().then(() => {
        waiters.delete(waiter);
        if (waiters.size === 0 && waiting.get(workspaceId) === waiters) waiting.delete(workspaceId);
      });
      return { over, end: waiter.wake };
    },

    async close(): Promise<void> {
      closing.abort();
      await polling;
    },
  };
}
