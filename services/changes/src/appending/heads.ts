import type { FeedStore } from '../feed/change-store.ts';

/** Each is a few dozen bytes. */
const MOST = 10_000;

export type Heads = ReturnType<typeof createHeads>;

/**
 * The number of the newest change of each workspace, as this process knows it. Another process may have appended since:
 * then the number behind it is taken, the write fails, and the number is read again.
 */
export function createHeads(changes: Pick<FeedStore, 'head'>) {
  const known = new Map<string, number>();

  return {
    async of(workspaceId: string): Promise<number> {
      return known.get(workspaceId) ?? changes.head(workspaceId);
    },

    appended(workspaceId: string, head: number): void {
      known.delete(workspaceId);
      known.set(workspaceId, head);
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },

    forget: (workspaceId: string): boolean => known.delete(workspaceId),
  };
}
