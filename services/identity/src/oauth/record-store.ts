import type { Writes } from '@postroom/mail-store/access';
import type { OAuthRecordDocument } from '@postroom/mail-store/documents/identity';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Clients, codes and tokens are found by their hash, before any workspace is known. */
export function createRecordStore({ oauthRecords }: Writes<'oauthRecords'>) {
  return {
    /** A record that was used stays used. */
    save: async ({ _id, ...fields }: Omit<OAuthRecordDocument, 'consumedAt'>): Promise<void> => {
      const update = { $set: fields, $setOnInsert: { consumedAt: null } };
      await oauthRecords.updateOne({ _id }, update, { upsert: true, ...QUERY_LIMIT });
    },

    find: (id: string, kind: string): Promise<OAuthRecordDocument | null> =>
      oauthRecords.findOne({ _id: id, kind }, null, QUERY_LIMIT).lean(),

    /** True for the one call that uses it. */
    consume: async (id: string, kind: string, consumedAt: Date): Promise<boolean> => {
      const unused = { _id: id, kind, consumedAt: null };
      return (await oauthRecords.updateOne(unused, { $set: { consumedAt } }, QUERY_LIMIT)).matchedCount === 1;
    },

    remove: async (id: string, kind: string): Promise<void> => {
      await oauthRecords.deleteOne({ _id: id, kind }, QUERY_LIMIT);
    },

    removeOfGrant: async (grantId: string): Promise<void> => {
      await oauthRecords.deleteMany({ grantId }, QUERY_LIMIT);
    },

    keepForever: async (id: string, kind: string): Promise<void> => {
      await oauthRecords.updateOne({ _id: id, kind }, { $set: { expiresAt: null } }, QUERY_LIMIT);
    },
  };
}
