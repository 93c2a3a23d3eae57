import type { Reads, Writes } from '@postroom/mail-store/access';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { insertAll, type InsertOutcome } from '../inserting/insert-all-store.ts';

export type Keys = Pick<
  EmailDocument,
  '_id' | 'sourceKey' | 'messageKey' | 'isUnsettled' | 'subject' | 'snippet' | 'senderAddress'
>;

export type SentKeys = Pick<EmailDocument, '_id' | 'sourceKey' | 'messageId' | 'operation'>;

export interface SentNames {
  messageId: string;
  operation: string | null;
}

const KEYS = { sourceKey: 1, messageKey: 1, isUnsettled: 1, subject: 1, snippet: 1, senderAddress: 1 } as const;

const MEGABYTE = 1024 * 1024;
/** Far more than the bounds of everything in it together, and far less than a database takes. */
const LARGEST_EMAIL = 4 * MEGABYTE;
const LARGEST_BODY = 12 * MEGABYTE;

export type EmailStore = ReturnType<typeof createEmailStore>;

/** Emails as ingest knows them. Its limits are its own: a caller who gave up must not leave half a batch undone for ever. */
export function createEmailStore({ emails, bodies, mailboxes }: Writes<'emails' | 'bodies'> & Reads<'mailboxes'>) {
  const within = (workspaceId: string, mailboxId: string) => ({ workspaceId, mailboxId });

  return {
    findMailbox(workspaceId: string, mailboxId: string): Promise<MailboxDocument | null> {
      return mailboxes.findOne({ workspaceId, _id: mailboxId }, null, QUERY_LIMIT).lean<MailboxDocument | null>();
    },

    findBySource(workspaceId: string, mailboxId: string, sourceKeys: readonly string[]): Promise<Keys[]> {
      return emails
        .find({ ...within(workspaceId, mailboxId), sourceKey: { $in: sourceKeys } }, KEYS, QUERY_LIMIT)
        .lean<Keys[]>();
    },

    findByMessage(workspaceId: string, mailboxId: string, messageKeys: readonly string[]): Promise<Keys[]> {
      return emails
        .find({ ...within(workspaceId, mailboxId), messageKey: { $in: messageKeys } }, KEYS, QUERY_LIMIT)
        .lean<Keys[]>();
    },

    /** Sent mail with these Message-IDs, or of these sends with any Message-ID. */
    async findSent(workspaceId: string, mailboxId: string, mails: readonly SentNames[]): Promise<SentKeys[]> {
      const operations = mails.flatMap(({ operation }) => operation ?? []);
      const sent = { ...within(workspaceId, mailboxId), folderType: 'SENT' } as const;
      const find = (named: object) =>
        emails
          .find({ ...sent, ...named }, { sourceKey: 1, messageId: 1, operation: 1 }, QUERY_LIMIT)
          .lean<SentKeys[]>();
      const found = await Promise.all([
        find({ messageId: { $in: mails.map(({ messageId }) => messageId) } }),
        operations.length > 0 ? find({ operation: { $in: operations } }) : [],
      ]);
      return found.flat();
    },

    /** One that is there already is of the same source, from before a crash or a call beside this one. Which cannot be stored. */
    async insertBodies(documents: readonly BodyDocument[]): Promise<BodyDocument[]> {
      const { refused } = await insertAll(bodies, documents, LARGEST_BODY);
      return refused;
    },

    insertEmails(documents: readonly EmailDocument[]): Promise<InsertOutcome<EmailDocument>> {
      return insertAll(emails, documents, LARGEST_EMAIL);
    },

    /** For a draft that another client has rewritten. */
    async replaceBody(workspaceId: string, { _id, ...body }: BodyDocument): Promise<void> {
      await bodies.replaceOne({ _id, workspaceId }, body, { upsert: true, ...QUERY_LIMIT });
    },

    async deleteBodies(workspaceId: string, emailIds: readonly string[]): Promise<void> {
      await bodies.deleteMany({ workspaceId, _id: { $in: emailIds } }, QUERY_LIMIT);
    },
  };
}
