import type { Collections } from '@postroom/mail-store/collections';
import type { ApiKeyDocument } from '@postroom/mail-store/documents/workspace';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit } from '@postroom/mail-store/time-limit';
import type { Call } from '@postroom/rpc/call';

type Limit = Pick<Call, 'remainingMs'>;

export function createKeyStore({ apiKeys }: Collections) {
  return {
    /** Null when another key took the slot first. */
    insert: async (
      workspaceId: string,
      fields: Omit<ApiKeyDocument, 'workspaceId'>,
    ): Promise<ApiKeyDocument | null> => {
      const key = { workspaceId, ...fields };
      try {
        await apiKeys.create(key);
        return key;
      } catch (error) {
        if (isDuplicate(error, 'workspace_slot')) return null;
        throw error;
      }
    },

    list: (workspaceId: string, limit: Limit): Promise<ApiKeyDocument[]> =>
      apiKeys.find({ workspaceId }, null, timeLimit(limit)).sort({ createdAt: 1, _id: 1 }).lean(),

    find: (workspaceId: string, keyId: string, limit: Limit): Promise<ApiKeyDocument | null> =>
      apiKeys.findOne({ _id: keyId, workspaceId }, null, timeLimit(limit)).lean(),

    /** Keeps the moment of the first revocation, and gives the slot free. */
    revoke: async (workspaceId: string, keyId: string, revokedAt: Date, limit: Limit): Promise<void> => {
      const change = { $set: { revokedAt, slot: keyId } };
      await apiKeys.updateOne({ _id: keyId, workspaceId, revokedAt: null }, change, timeLimit(limit));
    },

    /** An expired key gives its slot free when somebody needs it: nothing runs at the moment of expiry. */
    freeSlot: async (workspaceId: string, keyId: string, limit: Limit): Promise<void> => {
      await apiKeys.updateOne({ _id: keyId, workspaceId }, { $set: { slot: keyId } }, timeLimit(limit));
    },
  };
}

export type KeyStore = ReturnType<typeof createKeyStore>;
