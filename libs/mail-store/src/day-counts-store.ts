import type { Model } from 'mongoose';
import type { DayCountsStore } from './day-counts.ts';
import type { DayCountsDocument } from './documents/usage.ts';

export function createDayCountsStore(collection: Model<DayCountsDocument>): DayCountsStore {
  return {
    keepAll: async (documents) => {
      const writes = documents.map(({ _id, counts, ...once }) => ({
        updateOne: {
          filter: { _id },
          update: {
            $max: Object.fromEntries(Object.entries(counts).map(([name, total]) => [`counts.${name}`, total])),
            $setOnInsert: once,
          },
          upsert: true,
        },
      }));
      await collection.bulkWrite(writes, { ordered: false });
    },
  };
}
