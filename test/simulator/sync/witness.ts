import type { World } from '../world/world.ts';

interface Stored {
  _id: string;
  subject: string;
}

/** The emails that were stored, in their order. */
export type StoredBefore = readonly Stored[];

export function watchStored(world: World): StoredBefore {
  const stored: Stored[] = [];
  const { database } = world;
  database.onWrite(async ({ collection, command, body, reply }) => {
    if (collection !== 'emails' || command !== 'insert') return;
    const refused = new Set(((reply['writeErrors'] as { index: number }[]) ?? []).map(({ index }) => index));
    const documents = body['documents'] as Stored[];
    for (const [n, { _id, subject }] of documents.entries()) if (!refused.has(n)) stored.push({ _id, subject });
  });
  return stored;
}
