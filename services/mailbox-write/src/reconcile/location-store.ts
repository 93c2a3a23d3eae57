import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { AS_READ, type EmailAsRead } from '../changes/email-as-read.ts';

export type LocationStore = ReturnType<typeof createLocationStore>;

/** In a folder, by the validity that its UIDs were named under. */
const named = (folderId: string, uidValidity: number | { $ne: number }) => ({
  'place.folderId': folderId,
  'place.uidValidity': uidValidity,
  'place.uid': { $gt: 0 },
});

const OWN_WORK = { $in: ['SENT', 'DRAFTS'] };

interface NamesOfMessages {
  messageKeys: readonly string[];
  identities: readonly string[];
  /** Of drafts and of sent mail. */
  messageIds: readonly string[];
  /** Of sent mail, whatever its Message-ID has become. */
  operations: readonly string[];
}

/** Emails by where their provider keeps them. */
export function createLocationStore({ emails }: Writes<'emails'>) {
  const find = (filter: object) => emails.find(filter, AS_READ, QUERY_LIMIT).lean<EmailAsRead[]>();

  return {
    byKeys: async (workspaceId: string, mailboxId: string, messageKeys: readonly string[]): Promise<EmailAsRead[]> =>
      messageKeys.length === 0 ? [] : find({ workspaceId, mailboxId, messageKey: { $in: messageKeys } }),

    byIds: async (workspaceId: string, mailboxId: string, emailIds: readonly string[]): Promise<EmailAsRead[]> =>
      emailIds.length === 0 ? [] : find({ workspaceId, _id: { $in: emailIds }, mailboxId }),

    byIdentity: async (
      workspaceId: string,
      mailboxId: string,
      identities: readonly string[],
    ): Promise<EmailAsRead[]> =>
      identities.length === 0 ? [] : find({ workspaceId, mailboxId, identity: { $in: identities } }),

    /** Every email that may be one of these messages, by one question. */
    async candidates(workspaceId: string, mailboxId: string, names: NamesOfMessages): Promise<EmailAsRead[]> {
      const { messageKeys, identities, messageIds, operations } = names;
      const within = { workspaceId, mailboxId };
      const either = [
        { ...within, messageKey: { $in: messageKeys } },
        { ...within, identity: { $in: identities } },
        ...(messageIds.length > 0 ? [{ ...within, messageId: { $in: messageIds }, folderType: OWN_WORK }] : []),
        ...(operations.length > 0 ? [{ ...within, operation: { $in: operations }, folderType: 'SENT' }] : []),
      ];
      return find({ $or: either });
    },

    /** The known emails of a folder, in the order of their UIDs. */
    inFolder(workspaceId: string, mailboxId: string, folderId: string, uidValidity: number) {
      const shown = { place: 1, gone: 1, messageKey: 1 };
      return emails
        .find({ workspaceId, mailboxId, ...named(folderId, uidValidity) }, shown, QUERY_LIMIT)
        .sort({ 'place.uid': 1 })
        .lean<Pick<EmailDocument, '_id' | 'place' | 'gone' | 'messageKey'>[]>();
    },

    /** Some emails of a folder whose IMAP location is of another UIDVALIDITY. */
    ofOtherUidValidity(workspaceId: string, mailboxId: string, folderId: string, uidValidity: number, limit: number) {
      const messageKey = { $gte: 'place:', $lt: 'place;' };
      return find({ workspaceId, mailboxId, ...named(folderId, { $ne: uidValidity }), messageKey }).limit(limit);
    },
  };
}
