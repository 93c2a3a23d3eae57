import { setMaxListeners } from 'node:events';
import { abortedByAny } from '@postroom/runtime/abort';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { repeat } from '@postroom/runtime/repeat';
import type { FeedStore } from '../feed/change-store.ts';

interface Deps {
  changes: Pick<FeedStore, 'everyWorkspacesNext'>;
  context: { clock: Clock; log: Log };
}

interface Waiter {
  after: number;
  wake: () => void;
}

interface Watch {
  over: Promise<void>;
  end: () => void;
}

const EVERY_MS = 500;
/** The positions of one query. */
const AT_ONCE = 50;

export type ChangeWaiters = ReturnType<typeof createChangeWaiters>;

/**
 * Wakes those who wait for a change: at once for a change that this process appends, by a poll for those of others. The
 * poll reads no more than the next number of each position that somebody waits at.
 */
export function createChangeWaiters({ changes, context: { clock, log } }: Deps) {
  const waiting = new Map<string, Set<Waiter>>();
  const closing = new AbortController();
  // One listener for everybody who waits.
  setMaxListeners(0, closing.signal);

  const tell = (workspaceId: string, seq: number): void => {
    for (const waiter of waiting.get(workspaceId) ?? []) if (seq > waiter.after) waiter.wake();
  };
  const poll = async (): Promise<void> => {
    const positions = [...waiting].flatMap(([workspaceId, waiters]) =>
      [...new Set([...waiters].map(({ after }) => after))].map((after) => ({ workspaceId, after })),
    );
    for (let from = 0; from < positions.length; from += AT_ONCE)
      for (const { workspaceId, seq } of await changes.everyWorkspacesNext(positions.slice(from, from + AT_ONCE)))
        tell(workspaceId, seq);
  };
  const polling = repeat(poll, {
    name: 'the poll for new changes',
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    clock,
    log,
  });

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
      await polling.close();
    },
  };
}
