import type { Clock } from '@postroom/runtime/clock';
import type { WhichEmail } from './pending-store.ts';

type InThread = Pick<WhichEmail, 'workspaceId' | 'threadId'>;

interface ThreadOrder {
  /** Marks the thread as in work. The returned function ends that. */
  enter(which: InThread): () => void;
  isRunning(which: InThread): boolean;
  /** No email of the thread can begin before a time. */
  block(which: InThread, until: Date): void;
  /** The threads of a workspace that are in work or blocked. */
  blocked(workspaceId: string): string[];
}

/** Only the first email of a thread can begin, so its other emails must not use up the batch of due emails. */
export function createThreadOrder(clock: Pick<Clock, 'now'>): ThreadOrder {
  const running = new Map<string, { which: InThread; count: number }>();
  const waiting = new Map<string, { which: InThread; until: number }>();
  const keyOf = ({ workspaceId, threadId }: InThread) => `${workspaceId} ${threadId}`;

  return {
    enter: (which) => {
      if (!which.threadId) return () => undefined;
      const key = keyOf(which);
      const known = running.get(key) ?? { which, count: 0 };
      running.set(key, known);
      known.count += 1;
      return () => {
        known.count -= 1;
        if (known.count === 0) running.delete(key);
      };
    },
    isRunning: (which) => running.has(keyOf(which)),
    block: (which, until) => void waiting.set(keyOf(which), { which, until: until.getTime() }),
    blocked: (workspaceId) => {
      for (const [key, { until }] of waiting) if (until <= clock.now()) waiting.delete(key);
      const all = [...running.values(), ...waiting.values()].map(({ which }) => which);
      const own = all.filter((which) => which.workspaceId === workspaceId);
      return [...new Set(own.flatMap(({ threadId }) => threadId ?? []))];
    },
  };
}
