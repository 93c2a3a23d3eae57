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
