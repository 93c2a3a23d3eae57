import { addressKey } from '@postroom/contract/address';
import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument, ReportPart } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { SignatureDocument } from '@postroom/mail-store/documents/workspace';
import { SHOWN_OF_EMAIL, type ShownEmail } from '@postroom/mail-store/email-message';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import type { BodyDocument } from '@postroom/mail-store/documents/email';
import { correspondentOf } from '../correspondents/correspondent.ts';

/** The fields of a mailbox that a sender needs. Server and credentials are requested when they are used. */
export type SendingMailbox = Pick<MailboxDocument, '_id' | 'email' | 'name' | 'status' | 'aliases' | 'provider'>;
/** The email that is answered. */
export type AnsweredEmail = Pick<EmailDocument, '_id' | 'messageId' | 'references' | 'threadId'>;
/** The email that a rule answers or forwards. */
export type SourceEmail = Pick<
  EmailDocument,
  | '_id'
  | 'mailboxId'
  | 'folderType'
  | 'threadId'
  | 'threadKey'
  | 'messageId'
  | 'references'
  | 'from'
  | 'to'
  | 'cc'
  | 'subject'
  | 'date'
  | 'isAutomatic'
  | 'replyTo'
  | 'failsDmarc'
  | 'hasAttachments'
  | 'place'
  | 'isDraft'
  | 'bodyVersion'
>;
/** A draft that an agent asks to send. */
export type StoredDraft = Pick<EmailDocument, 'inReplyTo' | 'bcc' | 'scheduledStatus' | 'operation'> &
  Omit<SourceEmail, 'threadKey' | 'isAutomatic' | 'replyTo' | 'failsDmarc'>;
export type Report = ReportPart & Pick<EmailDocument, 'operation'>;
type StoredBody = Pick<BodyDocument, 'html' | 'text' | 'version'>;
export type MailReaderStore = ReturnType<typeof createMailReaderStore>;

/** The newest emails of a thread. A person whom only older ones name counts as a stranger. */
const MOST_OF_THREAD = 1_000;
type NamedPeople = Pick<EmailDocument, 'from' | 'to' | 'cc'>;

const MAILBOX = { email: 1, name: 1, status: 1, aliases: 1, provider: 1 } as const;
const SOURCE = {
  mailboxId: 1,
  folderType: 1,
  threadId: 1,
  threadKey: 1,
  messageId: 1,
  references: 1,
  from: 1,
  to: 1,
  cc: 1,
  subject: 1,
  date: 1,
  isAutomatic: 1,
  replyTo: 1,
  failsDmarc: 1,
  hasAttachments: 1,
  place: 1,
  isDraft: 1,
  bodyVersion: 1,
} as const;
const DRAFT = { ...SOURCE, inReplyTo: 1, bcc: 1, scheduledStatus: 1, operation: 1 } as const;
const ANSWERED = { messageId: 1, references: 1, threadId: 1 } as const;

/** The surroundings of an outgoing message. Other services write all of it. */
export function createMailReaderStore({
  mailboxes,
  signatures,
  emails,
  bodies,
}: Reads<'mailboxes' | 'signatures' | 'emails' | 'bodies'>) {
  return {
    ...createMailboxes(mailboxes),

    signatures(workspaceId: string, budget: TimeBudget): Promise<SignatureDocument[]> {
      return signatures
        .find({ workspaceId }, null, timeLimit(budget))
        .sort({ position: 1, _id: 1 })
        .lean<SignatureDocument[]>();
    },

    /** The email with a Message-ID in a mailbox. Of several it is the newest; all of them are in one thread. */
    answered(
      workspaceId: string,
      mailboxId: string,
      messageId: string,
      budget: TimeBudget,
    ): Promise<AnsweredEmail | null> {
      return emails
        .findOne({ workspaceId, mailboxId, messageId }, ANSWERED, timeLimit(budget))
        .lean<AnsweredEmail | null>();
    },

    /** Only recipients know the id of a message, so a copy of it in the mailbox, or a report about it, proves that it was sent. */
    async isFiled(
      workspaceId: string,
      { _id: operation, mailboxId, messageId }: Pick<SendDocument, '_id' | 'mailboxId' | 'messageId'>,
      budget: TimeBudget,
    ): Promise<boolean> {
      const there = { workspaceId, mailboxId, isDraft: false } as const;
      const named = [{ messageId }, { operation }];
      const found = await Promise.all(
        named.map((name) => emails.findOne({ ...there, ...name }, { _id: 1 }, timeLimit(budget)).lean()),
      );
      return found.some((email) => email !== null);
    },

    ...createOriginals(emails, bodies),
  };
}

function createMailboxes(mailboxes: Reads<'mailboxes'>['mailboxes']) {
  return {
    mailbox(workspaceId: string, mailboxId: string, budget: TimeBudget): Promise<SendingMailbox | null> {
      return mailboxes
        .findOne({ _id: mailboxId, workspaceId }, MAILBOX, timeLimit(budget))
        .lean<SendingMailbox | null>();
    },

    /** A mailbox, and whether some mailbox of the workspace is reached at an address, by its own name or by an alias. */
    async mailboxAndReach(
      workspaceId: string,
      mailboxId: string,
      address: string,
      budget: TimeBudget,
    ): Promise<{ mailbox: SendingMailbox | null; isOwn: boolean }> {
      const keys = [addressKey(address), correspondentOf(address)];
      const either = [
        { workspaceId, _id: mailboxId },
        { workspaceId, recipientKeys: { $in: keys } },
      ];
      const found = await mailboxes
        .find({ $or: either }, { ...MAILBOX, recipientKeys: 1 }, timeLimit(budget))
        .lean<(SendingMailbox & Partial<Pick<MailboxDocument, 'recipientKeys'>>)[]>();
      return {
        mailbox: found.find(({ _id }) => _id === mailboxId) ?? null,
        isOwn: found.some(({ recipientKeys = [] }) => recipientKeys.some((key) => keys.includes(key))),
      };
    },
  };
}

/** Emails that are answered, forwarded or reported on, and those that show what became of a send. */
function createOriginals(emails: Reads<'emails'>['emails'], bodies: Reads<'bodies'>['bodies']) {
  return {
    /** The content of a delivery report about a sent message; null when the email no longer exists. */
    async report(workspaceId: string, emailId: string, budget: TimeBudget): Promise<Report | null> {
      const email = await emails
        .findOne({ workspaceId, _id: emailId }, { operation: 1, report: 1 }, timeLimit(budget))
        .lean<Pick<EmailDocument, 'operation' | 'report'> | null>();
      return email?.report ? { ...email.report, operation: email.operation } : null;
    },

    source(workspaceId: string, emailId: string, budget: TimeBudget): Promise<SourceEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, SOURCE, timeLimit(budget)).lean<SourceEmail | null>();
    },

    /** It may have been sent since; null when it is in the trash. */
    draft(workspaceId: string, emailId: string, budget: TimeBudget): Promise<StoredDraft | null> {
      const where = { workspaceId, _id: emailId, folderType: 'DRAFTS', isDraft: true } as const;
      return emails.findOne(where, DRAFT, timeLimit(budget)).lean<StoredDraft | null>();
    },

    /** The people whom the emails of a thread name. Drafts do not count, and neither does mail in spam. */
    async participants(
      workspaceId: string,
      { mailboxId, threadId }: Pick<EmailDocument, 'mailboxId' | 'threadId'>,
      budget: TimeBudget,
    ): Promise<NamedPeople[]> {
      const where = { workspaceId, mailboxId, threadId, isDraft: false, folderType: { $ne: 'SPAM' } } as const;
      return emails
        .find(where, { from: 1, to: 1, cc: 1 }, timeLimit(budget))
        .sort({ date: -1 })
        .limit(MOST_OF_THREAD)
        .lean<NamedPeople[]>();
    },

    shown(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ShownEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, SHOWN_OF_EMAIL, timeLimit(budget)).lean<ShownEmail | null>();
    },

    /** Null where it was left to the provider. */
    body(workspaceId: string, emailId: string, budget: TimeBudget): Promise<StoredBody | null> {
      const kept = { html: 1, text: 1, version: 1 } as const;
      return bodies.findOne({ workspaceId, _id: emailId }, kept, timeLimit(budget)).lean<StoredBody | null>();
    },
  };
}
