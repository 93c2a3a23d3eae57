import type { Collections } from '@postroom/mail-store/collections';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { insertAll } from '../insert-all-store.ts';

export type Keys = Pick<
  EmailDocument,
  '_id' | 'sourceKey' | 'messageKey' | 'isUnsettled' | 'subject' | 'snippet' | 'senderAddress'
>;

const LIMIT = { maxTimeMS: 10_000 } as const;
const KEYS = { sourceKey: 1, messageKey: 1, isUnsettled: 1, subject: 1, snippet: 1, senderAddress: 1 } as const;

export type EmailStore = ReturnType<typeof createEmailStore>;

/** Emails as ingest knows them. Its limits are its own: a caller who gave up must not leave half a batch undone for ever. */
export function createEmailStore({ emails, bodies, mailboxes }: Collections) {
  const within = (workspaceId: string, mailboxId: string) => ({ workspaceId, mailboxId });

  return {
    findMailbox(workspaceId: string, mailboxId: string): Promise<MailboxDocument | null> {
      return mailboxes.findOne({ workspaceId, _id: mailboxId }, null, LIMIT).lean<MailboxDocument | null>();
    },

    findBySource(workspaceId: string, mailboxId: string, sourceKeys: readonly string[]): Promise<Keys[]> {
      return emails
        .find({ ...within(workspaceId, mailboxId), sourceKey: { $in: sourceKeys } }, KEYS, LIMIT)
        .lean<Keys[]>();
    },

    findByMessage(workspaceId: string, mailboxId: string, messageKeys: readonly string[]): Promise<Keys[]> {
      return emails
        .find({ ...within(workspaceId, mailboxId), messageKey: { $in: messageKeys } }, KEYS, LIMIT)
        .lean<Keys[]>();
    },

    /** A body that is there already is that of the same source, from before a crash or from a call beside this one. */
    async insertBodies(documents: readonly BodyDocument[]): Promise<void> {
      await insertAll(bodies, documents);
    },

    /** Which of the emails were not stored because another one with a key of theirs is there. */
    insertEmails(documents: readonly EmailDocument[]): Promise<EmailDocument[]> {
      return insertAll(emails, documents);
    },

    async deleteBodies(workspaceId: string, emailIds: readonly string[]): Promise<void> {
      await bodies.deleteMany({ workspaceId, _id: { $in: emailIds } }, LIMIT);
    },
  };
}
