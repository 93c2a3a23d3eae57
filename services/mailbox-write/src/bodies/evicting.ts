import type { Counter } from '@postroom/runtime/metrics';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import type { BodyStore, Evictable } from './body-store.ts';

interface EvictingDeps {
  bodies: BodyStore;
  /** The time for which an unused body is kept. */
  keptMs: number;
  evicted: Counter;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

const EVERY_MS = 600_000;
const BATCH = 500;

/** Lets go of old bodies that providers keep, again and again. */
export function sweepBodies(deps: EvictingDeps): Repeating {
  const { clock, log } = deps.context;
  const options = { name: 'the sweep of old bodies', everyMs: EVERY_MS, firstAfterMs: EVERY_MS, clock, log };
  return repeat((signal) => evictOlder(deps, signal), options);
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
