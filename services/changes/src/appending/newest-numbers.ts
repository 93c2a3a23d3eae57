import type { Clock } from '@postroom/runtime/clock';
import type { FeedStore } from '../feed/change-store.ts';

/** Each is a few dozen bytes. */
const MOST = 10_000;
/** After a longer time, another process has probably appended, and the refused write would cost more than the read. */
const FRESH_MS = 1_000;

/**
 * The number of the newest change of a workspace, as this process knows it from its last write. Another process may have
 * appended since: then the number behind it is taken, the write fails, and the number is read again.
 */
export function createNewestNumbers(changes: Pick<FeedStore, 'head'>, clock: Pick<Clock, 'now'>) {
  const known = new Map<string, { head: number; until: number }>();

  return {
    async of(workspaceId: string): Promise<number> {
      const last = known.get(workspaceId);
      return last && clock.now() < last.until ? last.head : changes.head(workspaceId);
    },

    appended(workspaceId: string, head: number): void {
      known.delete(workspaceId);
      known.set(workspaceId, { head, until: clock.now() + FRESH_MS });
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },

    forget: (workspaceId: string): boolean => known.delete(workspaceId),
  };
}
