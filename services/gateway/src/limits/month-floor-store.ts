import type { FloorStore } from '@postroom/limits/month-floors';
import type { Writes } from '@postroom/mail-store/access';
import type { MonthFloorDocument } from '@postroom/mail-store/documents/gateway';

/** A refund may come two days after its month. After that the bound is not needed. */
const KEPT_AFTER_MS = 2 * 86_400_000;
const LIMIT_MS = 2_000;

/** Lower bounds of the monthly usage of workspaces, for the counters in Redis. */
export function createMonthFloorStore({ monthFloors }: Writes<'monthFloors'>): FloorStore {
  return {
    async highest(workspaceId, { monthEnds, born }) {
      const other = { workspaceId, monthEnds: new Date(monthEnds), born: { $ne: born } };
      const found = await monthFloors
        .findOne(other, null, { maxTimeMS: LIMIT_MS })
        .sort({ used: -1 })
        .lean<MonthFloorDocument | null>();
      return found ? { monthEnds, born: found.born, used: found.used } : undefined;
    },

    async keepAll(floors) {
      const writes = floors.map(({ workspaceId, monthEnds, born, used }) => ({
        updateOne: {
          filter: { _id: `${workspaceId}:${monthEnds}:${born}` },
          update: {
            $max: { used },
            $setOnInsert: {
              workspaceId,
              monthEnds: new Date(monthEnds),
              born,
              expiresAt: new Date(monthEnds + KEPT_AFTER_MS),
            },
          },
          upsert: true,
        },
      }));
      await monthFloors.bulkWrite(writes, { ordered: false });
    },
  };
}
