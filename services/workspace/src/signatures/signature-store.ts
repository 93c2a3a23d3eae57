import type { Writes } from '@postroom/mail-store/access';
import type { SignatureDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export function createSignatureStore({ signatures }: Writes<'signatures'>) {
  return {
    insert: async (workspaceId: string, fields: Omit<SignatureDocument, 'workspaceId'>): Promise<SignatureDocument> => {
      const signature = { workspaceId, ...fields };
      await signatures.create(signature);
      return signature;
    },

    last: (workspaceId: string, budget: TimeBudget): Promise<SignatureDocument | null> =>
      signatures.findOne({ workspaceId }, null, timeLimit(budget)).sort({ position: -1, _id: -1 }).lean(),

    /** The newest default wins: any other of the same mailbox, or of the workspace, steps back. */
    replaceDefault: async (
      workspaceId: string,
      { _id, mailboxId }: SignatureDocument,
      now: Date,
      budget: TimeBudget,
    ) => {
      const others = { workspaceId, mailboxId, isDefault: true, _id: { $ne: _id } };
      await signatures.updateMany(others, { $set: { isDefault: false, updatedAt: now } }, timeLimit(budget));
    },
  };
}

export type SignatureStore = ReturnType<typeof createSignatureStore>;
