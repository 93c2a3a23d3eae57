import type { Writes } from '@postroom/mail-store/access';
import type { ApiKeyDocument } from '@postroom/mail-store/documents/workspace';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { workspaceItems } from '@postroom/mail-store/workspace-items';

export function createKeyStore({ apiKeys }: Writes<'apiKeys'>) {
  const { list, find } = workspaceItems(apiKeys);
  return {
    list,
    find,

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

    /** Keeps the moment of the first revocation, and frees the slot. */
    revoke: async (workspaceId: string, keyId: string, revokedAt: Date, budget: TimeBudget): Promise<void> => {
      const change = { $set: { revokedAt, slot: keyId } };
      await apiKeys.updateOne({ _id: keyId, workspaceId, revokedAt: null }, change, timeLimit(budget));
    },

    /** An expired key frees its slot when another key needs it, because nothing runs at the moment of expiry. */
    freeSlot: async (workspaceId: string, keyId: string, budget: TimeBudget): Promise<void> => {
      await apiKeys.updateOne({ _id: keyId, workspaceId }, { $set: { slot: keyId } }, timeLimit(budget));
    },
  };
}

export type KeyStore = ReturnType<typeof createKeyStore>;
