import type { Counter } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import type { BodyStore, Evictable } from './body-store.ts';

export interface EvictingDeps {
  bodies: BodyStore;
  /** The time for which an unused body is kept. */
  keptMs: number;
  evicted: Counter;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

const EVERY_MS = 600_000;
const BATCH = 500;

/** Lets go of old bodies that providers keep, again and again. Ends with the signal. */
export async function sweepBodies(deps: EvictingDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps.context;
  while (!signal.aborted) {
    try {
      await clock.sleep(EVERY_MS, signal);
      await evictOlder(deps, signal);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the sweep of old bodies failed; the next one tries again');
    }
  }
}

export async function evictOlder(deps: EvictingDeps, signal?: AbortSignal): Promise<void> {
  const { bodies, keptMs, context } = deps;
  const before = new Date(context.clock.now() - keptMs);
  while (!signal?.aborted) {
    const found = await bodies.everyEvictable(before, BATCH);
    for (const [workspaceId, ids] of byWorkspace(found)) await evictAll(deps, workspaceId, ids, before);
    if (found.length < BATCH) return;
  }
}

async function evictAll(
  { bodies, evicted, context }: EvictingDeps,
  workspaceId: string,
  ids: readonly string[],
  before: Date,
): Promise<void> {
  const fetchable = new Set(await bodies.fetchable(workspaceId, ids));
  evicted.add(await bodies.evict(workspaceId, [...fetchable], before));
  const others = ids.filter((id) => !fetchable.has(id));
  if (others.length > 0) await bodies.spare(workspaceId, others, before, context.clock.date());
}

function byWorkspace(found: readonly Evictable[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { workspaceId, _id } of found) groups.set(workspaceId, [...(groups.get(workspaceId) ?? []), _id]);
  return groups;
}
