import { EFFECT_KEPT_MS } from '@postroom/mail-store/kept-for';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import type { OldEffectStore } from './old-effect-store.ts';

interface OldEffectDeps {
  oldEffects: OldEffectStore;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

const EVERY_MS = 3_600_000;
const BATCH = 500;

/** Deletes the records of effects that are no longer listed and cannot be undone. The labels stay. */
export function sweepOldEffects(deps: OldEffectDeps): Repeating {
  const { clock, log } = deps.context;
  const options = { name: 'the sweep of old effects', everyMs: EVERY_MS, firstAfterMs: EVERY_MS, clock, log };
  return repeat((signal) => forgetOldEffects(deps, signal), options);
}

export async function forgetOldEffects({ oldEffects, context }: OldEffectDeps, signal?: AbortSignal): Promise<void> {
  const before = new Date(context.clock.now() - EFFECT_KEPT_MS);
  while (!signal?.aborted) {
    const found = await oldEffects.everyWorkspacesBefore(before, BATCH);
    for (const workspaceId of new Set(found.map((email) => email.workspaceId))) {
      const ids = found.filter((email) => email.workspaceId === workspaceId).map(({ _id }) => _id);
      await oldEffects.forget(workspaceId, ids, before);
    }
    if (found.length < BATCH) return;
  }
}
