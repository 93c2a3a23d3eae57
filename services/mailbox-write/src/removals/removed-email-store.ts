import type { Writes } from '@postroom/mail-store/access';
import type { RemovedEmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type RemovedEmailStore = ReturnType<typeof createRemovedEmailStore>;

/** The events of emails that are removed, which outlive them. */
export function createRemovedEmailStore({ removedEmails }: Writes<'removedEmails'>) {
  return {
    /** A removal that was cut off is announced anew. */
    async announce(workspaceId: string, removed: readonly RemovedEmailDocument[]): Promise<void> {
      const writes = removed.map(({ _id, ...document }) => ({
        replaceOne: { filter: { _id, workspaceId }, replacement: document, upsert: true },
      }));
      await removedEmails.collection.bulkWrite(writes as never[], { ordered: false, ...QUERY_LIMIT });
    },

    async retract(workspaceId: string, emailIds: readonly string[]): Promise<void> {
      await removedEmails.deleteMany({ workspaceId, _id: { $in: [...emailIds] } }, QUERY_LIMIT);
    },
  };
}
