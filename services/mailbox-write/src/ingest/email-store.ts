import type { AnyBulkWriteOperation } from 'mongoose';
import type { Collections } from '@postroom/mail-store/collections';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { renderEmail } from '@postroom/mail-store/render';
import { insertAll } from '../insert-all-store.ts';

export type Keys = Pick<EmailDocument, '_id' | 'sourceKey' | 'messageKey' | 'subject' | 'snippet' | 'senderAddress'>;

const LIMIT = { maxTimeMS: 10_000 } as const;
const KEYS = { sourceKey: 1, messageKey: 1, subject: 1, snippet: 1, senderAddress: 1 } as const;
/** A thread is moved in steps, so that one of ten thousand emails is never held in memory whole. */
const MOVED_AT_ONCE = 200;

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

    /** Brings emails from some threads, or some emails, into another thread; their list items say so, too. */
    moveToThread(workspaceId: string, mailboxId: string, which: ThreadsOrEmails, threadId: string): Promise<number> {
      const wanted = 'emailIds' in which ? { _id: { $in: which.emailIds } } : { threadId: { $in: which.threadIds } };
      const away = { ...within(workspaceId, mailboxId), $and: [wanted, { threadId: { $ne: threadId } }] };
      return moveAll(emails, away, threadId);
    },
  };
}

interface Away {
  workspaceId: string;
  mailboxId: string;
  $and: object[];
}

export type ThreadsOrEmails = { threadIds: readonly string[] } | { emailIds: readonly string[] };

function moving(email: EmailDocument, threadId: string): AnyBulkWriteOperation<EmailDocument> {
  const rendered = renderEmail({ ...email, threadId });
  return {
    updateOne: { filter: { workspaceId: email.workspaceId, _id: email._id }, update: { $set: { threadId, rendered } } },
  };
}

async function moveAll(emails: Collections['emails'], away: Away, threadId: string): Promise<number> {
  for (let moved = 0; ;) {
    const page = await emails
      .find(away, { words: 0, folded: 0, rendered: 0 }, LIMIT)
      .limit(MOVED_AT_ONCE)
      .lean<EmailDocument[]>();
    if (page.length === 0) return moved;
    await emails.bulkWrite(
      page.map((email) => moving(email, threadId)),
      { ordered: false },
    );
    moved += page.length;
  }
}
