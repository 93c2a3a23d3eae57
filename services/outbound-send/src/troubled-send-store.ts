import type { Collections } from '@postroom/mail-store/collections';
import type { RefusedPart, SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { type Trouble, TROUBLES } from './trouble.ts';

/** What went wrong with mail that leaves, for those who ask. */
export function troubledSends(sends: Collections['sends']) {
  return {
    /** Who has not got it, of a send that is nobody's any more. */
    async noteRefused(workspaceId: string, id: string, refused: RefusedPart[]): Promise<void> {
      await sends.updateOne({ _id: id, workspaceId }, { $set: { refused } }, QUERY_LIMIT);
    },

    /** The newest of those with this trouble, without their messages. */
    async troubled(
      workspaceId: string,
      trouble: Trouble,
      mailboxId: string | undefined,
      limit: number,
    ): Promise<Omit<SendDocument, 'wire' | 'kept'>[]> {
      const where = { workspaceId, ...TROUBLES[trouble], ...(mailboxId !== undefined && { mailboxId }) };
      return sends
        .find(where, { wire: 0, kept: 0 }, QUERY_LIMIT)
        .sort({ createdAt: -1 })
        .limit(limit)
        .lean<Omit<SendDocument, 'wire' | 'kept'>[]>();
    },
  };
}
