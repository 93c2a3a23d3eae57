import type { Reads } from '@postroom/mail-store/access';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

/** The email that the rules check, with its body. */
export type AskedEmail = Pick<
  EmailDocument,
  | '_id'
  | 'mailboxId'
  | 'threadId'
  | 'folderType'
  | 'from'
  | 'senderAddress'
  | 'senderDomain'
  | 'listId'
  | 'isAutomatic'
  | 'authentication'
  | 'to'
  | 'cc'
  | 'mailboxIn'
  | 'subject'
  | 'date'
  | 'attachments'
  | 'replyTo'
  | 'failsDmarc'
  | 'classifiedAt'
>;
type AskedBody = Pick<BodyDocument, 'html' | 'text'>;
/** A position in the order of the newest first. */
export type EmailPosition = Pick<EmailDocument, '_id' | 'date'>;

export type ClassifiedEmailStore = ReturnType<typeof createClassifiedEmailStore>;

export const EMAIL_FIELDS = {
  mailboxId: 1,
  threadId: 1,
  folderType: 1,
  from: 1,
  senderAddress: 1,
  senderDomain: 1,
  listId: 1,
  isAutomatic: 1,
  authentication: 1,
  to: 1,
  cc: 1,
  mailboxIn: 1,
  subject: 1,
  date: 1,
  attachments: 1,
  replyTo: 1,
  failsDmarc: 1,
  classifiedAt: 1,
} as const;

export function createClassifiedEmailStore({ emails, bodies }: Reads<'emails' | 'bodies'>) {
  return {
    find(workspaceId: string, emailId: string): Promise<AskedEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, EMAIL_FIELDS, QUERY_LIMIT).lean<AskedEmail | null>();
    },

    async body(workspaceId: string, emailId: string): Promise<AskedBody> {
      const which = { workspaceId, _id: emailId };
      const body = await bodies.findOne(which, { html: 1, text: 1 }, QUERY_LIMIT).lean<AskedBody | null>();
      if (body) return body;
      // Its provider has it, and not we: the text that filters use is enough to classify by.
      const email = await emails
        .findOne(which, { 'folded.text': 1 }, QUERY_LIMIT)
        .lean<Pick<EmailDocument, 'folded'> | null>();
      return { html: null, text: email?.folded.text ?? null };
    },

    /** The newest of an inbox, behind a position in their order. */
    newest(
      workspaceId: string,
      mailboxId: string,
      after: EmailPosition | undefined,
      limit: number,
    ): Promise<EmailPosition[]> {
      const behind = after && {
        date: { $lte: after.date },
        $or: [{ date: { $lt: after.date } }, { date: after.date, _id: { $lt: after._id } }],
      };
      return emails
        .find({ workspaceId, mailboxId, folderType: 'INBOX', ...behind }, { date: 1 }, QUERY_LIMIT)
        .sort({ date: -1, _id: -1 })
        .limit(limit)
        .lean<EmailPosition[]>();
    },

    countInbox(workspaceId: string, mailboxId: string, limit: number): Promise<number> {
      return emails.countDocuments({ workspaceId, mailboxId, folderType: 'INBOX' }, { ...QUERY_LIMIT, limit });
    },
  };
}
