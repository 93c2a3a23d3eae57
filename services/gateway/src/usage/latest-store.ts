import type { Writes } from '@postroom/mail-store/access';
import type { KeyUseDocument, LimitReadingDocument } from '@postroom/mail-store/documents/usage';

export type LatestStore = ReturnType<typeof createLatestStore>;

/** The greater value is the later one, so a write that arrives late or twice changes nothing. */
export function createLatestStore({ keyUses, limitReadings }: Writes<'keyUses' | 'limitReadings'>) {
  return {
    keepUses: async (uses: readonly KeyUseDocument[]): Promise<void> => {
      await keyUses.bulkWrite(uses.map(toWrite), { ordered: false });
    },

    keepReadings: async (readings: readonly LimitReadingDocument[]): Promise<void> => {
      await limitReadings.bulkWrite(readings.map(toWrite), { ordered: false });
    },
  };
}

function toWrite<T>({ _id, workspaceId, last }: { _id: string; workspaceId: string; last: T }) {
  return { updateOne: { filter: { _id }, update: { $max: { last }, $setOnInsert: { workspaceId } }, upsert: true } };
}
