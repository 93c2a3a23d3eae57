import { storedName } from '@postroom/mail-store/stored-names';
import type { World } from '../world/world.ts';

interface Claim {
  sendId: string;
  epoch: number;
}

/** Drafts on which an earlier holder of their send showed its state behind a later one. */
export function watchSchedules(world: World): readonly string[] {
  const shown = new Map<string, number>();
  const late: string[] = [];
  world.database.onWrite(async ({ collection, body, reply }) => {
    const update = body['update'] as { $push?: { scheduleClaims?: { $each: readonly Claim[] } } } | undefined;
    if (collection !== storedName('emails') || !reply['value']) return;
    for (const { sendId, epoch } of update?.$push?.scheduleClaims?.$each ?? []) {
      const latest = shown.get(sendId) ?? 0;
      if (epoch < latest) late.push(`the holder ${epoch} of ${sendId} showed its state behind the holder ${latest}`);
      shown.set(sendId, Math.max(epoch, latest));
    }
  });
  return late;
}
