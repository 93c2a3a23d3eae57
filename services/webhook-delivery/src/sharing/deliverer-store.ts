import type { Writes } from '@postroom/mail-store/access';
import type { DelivererDocument } from '@postroom/mail-store/documents/webhook';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type DelivererStore = ReturnType<typeof createDelivererStore>;

export function createDelivererStore({ deliverers }: Writes<'deliverers'>) {
  return {
    everyLive: (now: Date): Promise<DelivererDocument[]> =>
      deliverers.find({ expiresAt: { $gt: now } }, null, QUERY_LIMIT).lean<DelivererDocument[]>(),

    everyOwnSay: async ({ _id, activeFrom, expiresAt }: DelivererDocument): Promise<void> => {
      await deliverers.updateOne({ _id }, { $set: { activeFrom, expiresAt } }, { ...QUERY_LIMIT, upsert: true });
    },

    everyOwnEnd: async (id: string): Promise<void> => {
      await deliverers.deleteOne({ _id: id }, QUERY_LIMIT);
    },
  };
}
