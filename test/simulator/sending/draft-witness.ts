import { storedName } from '@postroom/mail-store/stored-names';
import type { World } from '../world/world.ts';

interface Changed {
  _id: string;
  isDraft: boolean;
  scheduledStatus: string | null;
}

/** Drafts that were thrown away while no send of them had begun, with the times. */
export function watchTrashed(world: World): ReadonlyMap<string, number> {
  const trashed = new Map<string, number>();
  world.database.onWrite(async ({ collection, body, reply }) => {
    const set = (body['update'] as { $set?: { folderType?: string } } | undefined)?.$set;
    const changed = reply['value'] as Changed | null | undefined;
    if (collection !== storedName('emails') || !changed || set?.folderType !== 'TRASH') return;
    if (changed.isDraft && changed.scheduledStatus !== 'sending') trashed.set(changed._id, world.now());
  });
  return trashed;
}

/** A version of a draft that another program has saved. */
export interface Saved {
  draftId: string;
  subject: string;
}

/** The versions of drafts that were stored for other programs, in their order. */
export function watchSaved(world: World): readonly Saved[] {
  const saved: Saved[] = [];
  world.database.onWrite(async ({ collection, command, body }) => {
    if (collection !== storedName('emails') || command !== 'update') return;
    for (const { q, u } of body['updates'] as { q: { _id?: string }; u: { $set?: { subject?: string } } }[])
      if (q._id !== undefined && u.$set?.subject !== undefined && (await subjectOf(world, q._id)) === u.$set.subject)
        saved.push({ draftId: q._id, subject: u.$set.subject });
  });
  return saved;
}

async function subjectOf({ database }: World, _id: string): Promise<string | undefined> {
  const { cursor } = await database.run({ find: storedName('emails'), filter: { _id }, projection: { subject: 1 } });
  return (cursor as { firstBatch: { subject: string }[] }).firstBatch[0]?.subject;
}
