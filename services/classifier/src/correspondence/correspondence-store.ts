import { addressKey } from '@postroom/contract/address';
import type { Reads } from '@postroom/mail-store/access';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import { NEWEST_FIRST } from '@postroom/mail-store/indexes';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { MOST_OF_THREAD } from './thread-text.ts';

/** An earlier message of a thread. */
type EarlierEmail = Pick<EmailDocument, '_id' | 'folderType' | 'date'>;
type EarlierBody = Pick<BodyDocument, '_id' | 'html' | 'text'>;
export type OfThread = Pick<EmailDocument, '_id' | 'mailboxId' | 'threadId'>;

export type CorrespondenceStore = ReturnType<typeof createCorrespondenceStore>;

/** The messages between a mailbox and one sender, and nothing of anybody else. */
export function createCorrespondenceStore({ emails, bodies }: Reads<'emails' | 'bodies'>) {
  return {
    async hasWrittenTo(workspaceId: string, mailboxId: string, address: string): Promise<boolean> {
      const writtenTo = addressKey(address);
      if (writtenTo === '') return false;
      const sent = { workspaceId, mailboxId, writtenTo, isAutoReply: false, isDraft: false };
      return (await emails.findOne(sent, { _id: 1 }, QUERY_LIMIT).lean()) !== null;
    },

    /** The newest messages of a thread that the sender wrote, or that were written to the sender. */
    async thread(
      workspaceId: string,
      { _id, mailboxId, threadId }: OfThread,
      address: string,
    ): Promise<EarlierEmail[]> {
      const sender = addressKey(address);
      if (sender === '' || !threadId) return [];
      const bySender = { senderAddress: sender, folderType: { $in: ['INBOX', 'OTHER'] }, failsDmarc: false };
      // A rule forwards mail that others wrote.
      const toSender = { writtenTo: sender, folderType: 'SENT', isAutoForward: false };
      const between = { workspaceId, mailboxId, threadId, _id: { $ne: _id }, isDraft: false };
      return emails
        .find({ ...between, $or: [bySender, toSender] } as object, { folderType: 1, date: 1 }, QUERY_LIMIT)
        .sort(NEWEST_FIRST)
        .limit(MOST_OF_THREAD)
        .lean<EarlierEmail[]>();
    },

    /** One after the other: each may have megabytes. */
    bodies(workspaceId: string, emailIds: readonly string[]): AsyncIterable<EarlierBody> {
      return bodies
        .find({ workspaceId, _id: { $in: [...emailIds] } }, { html: 1, text: 1 }, QUERY_LIMIT)
        .lean<EarlierBody[]>()
        .cursor();
    },
  };
}
