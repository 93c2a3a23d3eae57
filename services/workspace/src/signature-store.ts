import type { Collections } from '@postroom/mail-store/collections';
import type { SignatureDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit, type Patience } from '@postroom/mail-store/time-limit';

export function createSignatureStore({ signatures }: Collections) {
  return {
    insert: async (workspaceId: string, fields: Omit<SignatureDocument, 'workspaceId'>): Promise<SignatureDocument> => {
      const signature = { workspaceId, ...fields };
      await signatures.create(signature);
      return signature;
    },

    last: (workspaceId: string, patience: Patience): Promise<SignatureDocument | null> =>
      signatures.findOne({ workspaceId }, null, timeLimit(patience)).sort({ position: -1, _id: -1 }).lean(),

    /** The newest default wins: any other of the same mailbox, or of the workspace, steps back. */
    replaceDefault: async (
      workspaceId: string,
      { _id, mailboxId }: SignatureDocument,
      now: Date,
      patience: Patience,
    ) => {
      const others = { workspaceId, mailboxId, isDefault: true, _id: { $ne: _id } };
      await signatures.updateMany(others, { $set: { isDefault: false, updatedAt: now } }, timeLimit(patience));
    },
  };
}

export type SignatureStore = ReturnType<typeof createSignatureStore>;
