import type { Reads, Writes } from '@postroom/mail-store/access';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { insertAll, type InsertOutcome } from '../inserting/insert-all-store.ts';

export type Keys = Pick<
  EmailDocument,
  '_id' | 'sourceKey' | 'messageKey' | 'isUnsettled' | 'subject' | 'snippet' | 'senderAddress'
>;

export type SentKeys = Pick<EmailDocument, '_id' | 'sourceKey' | 'messageId' | 'operation' | 'folderType'>;

type Same = Keys & SentKeys;

export interface SentNames {
  messageId: string;
  operation: string | null;
}

const KEYS = { sourceKey: 1, messageKey: 1, isUnsettled: 1, subject: 1, snippet: 1, senderAddress: 1 } as const;
const SENT_KEYS = { sourceKey: 1, messageId: 1, operation: 1, folderType: 1 } as const;

const MEGABYTE = 1024 * 1024;
/** Far more than the bounds of everything in it together, and far less than a database takes. */
const LARGEST_EMAIL = 4 * MEGABYTE;
const LARGEST_BODY = 12 * MEGABYTE;

/** Sent mail with these Message-IDs, or of these sends with any Message-ID. */
export function sentAs(mailbox: { workspaceId: string; mailboxId: string }, mails: readonly SentNames[]) {
  const operations = mails.flatMap(({ operation }) => operation ?? []);
  const sent = { ...mailbox, folderType: 'SENT' } as const;
  return [
    { ...sent, messageId: { $in: mails.map(({ messageId }) => messageId) } },
    ...(operations.length > 0 ? [{ ...sent, operation: { $in: operations } }] : []),
  ];
}

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

    /** The emails with these keys, and sent mail, by one question: of a sent message both are asked. */
    findSame(
      workspaceId: string,
      mailboxId: string,
      messageKeys: readonly string[],
      mails: readonly SentNames[],
    ): Promise<Same[]> {
      const mailbox = within(workspaceId, mailboxId);
      const either = [{ ...mailbox, messageKey: { $in: messageKeys } }, ...sentAs(mailbox, mails)];
      return emails.find({ $or: either }, { ...KEYS, ...SENT_KEYS }, QUERY_LIMIT).lean<Same[]>();
    },

    insertEmails(documents: readonly EmailDocument[]): Promise<InsertOutcome<EmailDocument>> {
      return insertAll(emails, documents, LARGEST_EMAIL);
    },

    ...createBodies(emails, bodies),
  };
}

function createBodies(emails: Reads<'emails'>['emails'], bodies: Writes<'bodies'>['bodies']) {
  return {
    /** A stored body is of the same source, from before a crash or by a call beside this one. Returns those that cannot be stored. */
    async insertBodies(documents: readonly BodyDocument[]): Promise<BodyDocument[]> {
      const { refused } = await insertAll(bodies, documents, LARGEST_BODY);
      return refused;
    },

    async bodyVersions(
      workspaceId: string,
      emailIds: readonly string[],
    ): Promise<Pick<BodyDocument, '_id' | 'version'>[]> {
      if (emailIds.length === 0) return [];
      return bodies
        .find({ workspaceId, _id: { $in: emailIds } }, { version: 1 }, QUERY_LIMIT)
        .lean<Pick<BodyDocument, '_id' | 'version'>[]>();
    },

    /** For a draft that somebody else has sent, or whose save was not finished. */
    async replaceBody(workspaceId: string, { _id, ...body }: BodyDocument): Promise<void> {
      await bodies.replaceOne({ _id, workspaceId }, body, { upsert: true, ...QUERY_LIMIT });
    },

    /** For a draft that a mail program has saved. False where the stored body is neither the former one nor this one. */
    async saveBody(workspaceId: string, { _id, ...body }: BodyDocument, former: string | undefined): Promise<boolean> {
      // Null is that of the first version.
      const isFormer = { _id, workspaceId, version: { $in: [former ?? null, body.version ?? null, null] } };
      try {
        await bodies.replaceOne(isFormer, body, { upsert: true, ...QUERY_LIMIT });
        return true;
      } catch (error) {
        if (!isAnyDuplicate(error)) throw error;
        return false;
      }
    },

    async bodyVersionOf(workspaceId: string, emailId: string): Promise<string | undefined> {
      const email = await emails
        .findOne({ workspaceId, _id: emailId }, { bodyVersion: 1 }, QUERY_LIMIT)
        .lean<Pick<EmailDocument, 'bodyVersion'> | null>();
      return email?.bodyVersion;
    },

    async deleteBodies(workspaceId: string, emailIds: readonly string[]): Promise<void> {
      await bodies.deleteMany({ workspaceId, _id: { $in: emailIds } }, QUERY_LIMIT);
    },
  };
}
