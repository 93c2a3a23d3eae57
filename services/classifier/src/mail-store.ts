import type { Reads } from '@postroom/mail-store/access';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { waitingEmails } from './waiting-store.ts';

/** What a rule is asked about. */
export type AskedEmail = Pick<
  EmailDocument,
  '_id' | 'folderType' | 'from' | 'subject' | 'date' | 'receivedAt' | 'classifiedAt'
> &
  Pick<BodyDocument, 'html' | 'text'>;
/** A place in the order of the newest first. */
export type Place = Pick<EmailDocument, '_id' | 'date'>;

export type MailStore = ReturnType<typeof createMailStore>;

const FIELDS = { folderType: 1, from: 1, subject: 1, date: 1, receivedAt: 1, classifiedAt: 1 } as const;

export function createMailStore({ emails, bodies }: Reads<'emails' | 'bodies'>) {
  return {
    async find(workspaceId: string, emailId: string): Promise<AskedEmail | undefined> {
      const [email, body] = await Promise.all([
        emails
          .findOne({ workspaceId, _id: emailId }, FIELDS, QUERY_LIMIT)
          .lean<Omit<AskedEmail, 'html' | 'text'> | null>(),
        bodies.findOne({ workspaceId, _id: emailId }, { html: 1, text: 1 }, QUERY_LIMIT).lean<BodyDocument | null>(),
      ]);
      if (!email || body) return email ? { ...email, html: body?.html ?? null, text: body?.text ?? null } : undefined;
      // Left to its provider long ago: what filters know of it is enough to sort it by.
      const known = { workspaceId, _id: emailId };
      const folded = await emails
        .findOne(known, { 'folded.text': 1 }, QUERY_LIMIT)
        .lean<Pick<EmailDocument, 'folded'> | null>();
      return { ...email, html: null, text: folded?.folded.text ?? null };
    },

    /** The newest of an inbox, behind a place in their order. */
    newest(workspaceId: string, mailboxId: string, after: Place | undefined, limit: number): Promise<Place[]> {
      const behind = after && {
        date: { $lte: after.date },
        $or: [{ date: { $lt: after.date } }, { date: after.date, _id: { $lt: after._id } }],
      };
      return emails
        .find({ workspaceId, mailboxId, folderType: 'INBOX', ...behind }, { date: 1 }, QUERY_LIMIT)
        .sort({ date: -1, _id: -1 })
        .limit(limit)
        .lean<Place[]>();
    },

    countInbox(workspaceId: string, mailboxId: string, limit: number): Promise<number> {
      return emails.countDocuments({ workspaceId, mailboxId, folderType: 'INBOX' }, { ...QUERY_LIMIT, limit });
    },

    ...waitingEmails(emails),
  };
}
