import { CHANGE_KEPT_MS } from '@postroom/mail-store/kept-for';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { FeedStore } from '../feed/change-store.ts';

const EVERY_MS = 10 * 60_000;
const AT_ONCE = 500;

interface Deps {
  changes: Pick<FeedStore, 'head' | 'everyWorkspacesOldest' | 'trim' | 'keep'>;
  clock: Clock;
}

export function startTrimming(deps: Deps, log: Log): Repeating {
  const options = { name: 'the trimming of changes', everyMs: EVERY_MS, clock: deps.clock, log };
  return repeat((signal) => trimOnce(deps, signal), options);
}

/** Removes changes that are kept no longer, in batches. The newest of a workspace stays, so that its numbers go on. */
export async function trimOnce({ changes, clock }: Deps, closing: AbortSignal): Promise<void> {
  const before = new Date(clock.now() - CHANGE_KEPT_MS);
  while (!closing.aborted) {
    const old = await changes.everyWorkspacesOldest(before, AT_ONCE);
    if (old.length === 0) return;
    const ends = new Map<string, number>();
    for (const { workspaceId, seq } of old) ends.set(workspaceId, Math.max(seq, ends.get(workspaceId) ?? 0));
    for (const [workspaceId, end] of ends) {
      const head = await changes.head(workspaceId);
      await changes.trim(workspaceId, Math.min(end, head - 1));
      if (end >= head) await changes.keep(workspaceId, head);
    }
  }
}
