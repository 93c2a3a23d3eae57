import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { AS_READ, type EmailAsRead } from '../changes/email-as-read.ts';
import { HANDOVER_PASS } from '../location/location.ts';

export type GoneStore = ReturnType<typeof createGoneStore>;

/** Emails that are not where they were. */
export function createGoneStore({ emails }: Writes<'emails'>) {
  const find = (filter: object) => emails.find(filter, AS_READ, QUERY_LIMIT);

  return {
    /** Emails of a folder that have found no UID since its UIDs began anew. */
    withoutUid(workspaceId: string, mailboxId: string, folderId: string, limit: number) {
      // Not by the UIDVALIDITY: a folder may have an earlier one again.
      const messageKey = { $gte: 'unplaced:', $lt: 'unplaced;' };
      const hadUid = { 'place.folderId': folderId, 'place.uid': { $gt: 0 }, messageKey };
      const waits = { 'gone.isSure': false, 'gone.isHandedOver': { $exists: false } };
      return find({ workspaceId, mailboxId, ...hadUid, ...waits })
        .limit(limit)
        .lean<EmailAsRead[]>();
    },

    /** Emails whose move to the IMAP location of a copy is not complete. */
    handedOver(workspaceId: string, mailboxId: string) {
      const waits: object = { 'gone.round': HANDOVER_PASS, 'gone.isHandedOver': true };
      return emails
        .find({ workspaceId, mailboxId, ...waits }, { identity: 1 }, QUERY_LIMIT)
        .lean<Pick<EmailDocument, '_id' | 'identity'>[]>();
    },

    /** Emails that were certainly gone before a pass began. */
    goneBefore(workspaceId: string, mailboxId: string, pass: number, limit: number): Promise<EmailAsRead[]> {
      const gone = { 'gone.round': { $gt: -1, $lt: pass }, 'gone.isSure': true };
      return find({ workspaceId, mailboxId, ...gone })
        .limit(limit)
        .lean<EmailAsRead[]>();
    },
  };
}
