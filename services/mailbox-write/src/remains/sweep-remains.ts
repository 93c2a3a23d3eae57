import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import type { RemainsStore } from './remains-store.ts';

interface RemainsDeps {
  remains: RemainsStore;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

const EVERY_MS = 60_000;
/** A call that has read an email before its removal is over by then: an attempt to classify it takes a minute at most. */
const GRACE_MS = 120_000;
/** The period that the first sweep covers: somebody may have ended all processes at a removal, for a while. */
const SWEEP_BACK_MS = 86_400_000;
/** Read at once, so that a sweep that fails goes on where it was. */
const PERIOD_MS = 3_600_000;
const BATCH = 200;

/**
 * Deletes verdicts and bodies that were stored while their email was removed: a call that has read the email does not see
 * that it goes, and a crash keeps it from cleaning up. Removals are swept twice, because an email goes behind their time.
 */
export function sweepRemains(deps: RemainsDeps): Repeating {
  const { clock, log } = deps.context;
  const name = 'the sweep for remains of removed emails';
  return repeat(createRemainsSweep(deps), { name, everyMs: EVERY_MS, firstAfterMs: EVERY_MS, clock, log });
}

/** Each call goes on behind the one before. */
export function createRemainsSweep(deps: RemainsDeps): () => Promise<void> {
  const { clock } = deps.context;
  let from = clock.now() - SWEEP_BACK_MS;
  return async () => {
    const before = clock.now() - GRACE_MS;
    while (from < before) {
      const to = Math.min(from + PERIOD_MS, before);
      await removeRemains(deps, { from: new Date(from), to: new Date(to) }, new Date(before));
      from = to;
    }
    from = before - GRACE_MS;
  };
}

/** Of the emails that were removed in a period. */
async function removeRemains(
  { remains }: RemainsDeps,
  { from, to }: { from: Date; to: Date },
  before: Date,
): Promise<void> {
  const byWorkspace = new Map<string, string[]>();
  const removeSome = async (workspaceId: string) => {
    await remains.removeParts(workspaceId, byWorkspace.get(workspaceId) ?? [], before);
    byWorkspace.delete(workspaceId);
  };
  for await (const { _id, workspaceId } of remains.everyWorkspacesRemoved(from, to)) {
    const ids = [...(byWorkspace.get(workspaceId) ?? []), _id];
    byWorkspace.set(workspaceId, ids);
    if (ids.length === BATCH) await removeSome(workspaceId);
  }
  for (const workspaceId of byWorkspace.keys()) await removeSome(workspaceId);
}
