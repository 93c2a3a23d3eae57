import type { Collections } from '@postroom/mail-store/collections';
import type { ApiKeyDocument } from '@postroom/mail-store/documents/workspace';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type Patience } from '@postroom/mail-store/time-limit';

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

    list: (workspaceId: string, patience: Patience): Promise<ApiKeyDocument[]> =>
      apiKeys.find({ workspaceId }, null, timeLimit(patience)).sort({ createdAt: 1, _id: 1 }).lean(),

    find: (workspaceId: string, keyId: string, patience: Patience): Promise<ApiKeyDocument | null> =>
      apiKeys.findOne({ _id: keyId, workspaceId }, null, timeLimit(patience)).lean(),

    /** Keeps the moment of the first revocation, and gives the slot free. */
    revoke: async (workspaceId: string, keyId: string, revokedAt: Date, patience: Patience): Promise<void> => {
      const change = { $set: { revokedAt, slot: keyId } };
      await apiKeys.updateOne({ _id: keyId, workspaceId, revokedAt: null }, change, timeLimit(patience));
    },

    /** An expired key gives its slot free when somebody needs it: nothing runs at the moment of expiry. */
    freeSlot: async (workspaceId: string, keyId: string, patience: Patience): Promise<void> => {
      await apiKeys.updateOne({ _id: keyId, workspaceId }, { $set: { slot: keyId } }, timeLimit(patience));
    },
  };
}

export type KeyStore = ReturnType<typeof createKeyStore>;
