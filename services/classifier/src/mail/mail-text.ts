import type { MailboxIn } from '@postroom/mail-store/documents/email';
import { shownText } from '@postroom/mime/shown-text';
import { cleanLine, cleanText, cutToTokens, firstWithin } from '../text/bounded-text.ts';

/** The part of an email that a model sees: what a person would read of it, within the bound of the prompt. */
export interface MailText {
  from: string;
  to: string[];
  cc: string[];
  /** All that To and Cc name; the first of them are listed. */
  recipients: number;
  subject: string;
  date: string;
  attachments: AttachmentText[];
  text: string;
  facts: MailFacts;
}

interface AttachmentText {
  name: string;
  type: string;
}

/** The parts that no sender writes. */
interface MailFacts {
  /** Absent where it is not known. */
  mailboxIn?: MailboxIn;
  /** Whether the mailbox itself has ever written to the address of the sender. Automatic replies do not count. */
  hasWrittenToSender: boolean;
}

interface NamedAddress {
  email: string;
  name: string | null;
}

export interface ReadMail {
  from: NamedAddress;
  to: readonly NamedAddress[];
  cc: readonly NamedAddress[];
  subject: string;
  date: Date;
  attachments: readonly { filename: string; mimeType: string }[];
  mailboxIn?: MailboxIn | undefined;
  hasWrittenToSender: boolean;
  html: string | null;
  text: string | null;
}

/** In tokens. A token is at most eight bytes of the prompt: four characters, each escaped or of two bytes. */
const MOST_TOKENS = { name: 60, address: 60, listedName: 20, subject: 200, text: 3_000, filename: 40, type: 20 };
const MOST_RECIPIENTS = { count: 10, tokens: 300 };
const MOST_ATTACHMENTS = { count: 10, tokens: 300 };

export function toMailText(mail: ReadMail): MailText {
  const { from, to, cc, subject, date, mailboxIn, hasWrittenToSender } = mail;
  return {
    from: addressText(from, MOST_TOKENS.name),
    to: listed(to),
    cc: listed(cc),
    recipients: to.length + cc.length,
    subject: cutToTokens(cleanLine(subject), MOST_TOKENS.subject),
    date: date.toISOString(),
    attachments: attachmentsOf(mail),
    text: cutToTokens(cleanText(shownText(mail).text), MOST_TOKENS.text),
    facts: { ...(mailboxIn && { mailboxIn }), hasWrittenToSender },
  };
}

function addressText({ name, email }: NamedAddress, mostOfName: number): string {
  const shown = name === null ? '' : cutToTokens(cleanLine(name), mostOfName);
  const address = cutToTokens(cleanLine(email), MOST_TOKENS.address);
  return shown === '' ? address : `${shown} <${address}>`;
}

function listed(addresses: readonly NamedAddress[]): string[] {
  const first = addresses.slice(0, MOST_RECIPIENTS.count);
  const shown = first.map((address) => addressText(address, MOST_TOKENS.listedName));
  return firstWithin(shown, MOST_RECIPIENTS, (one) => one);
}

function attachmentsOf({ attachments }: ReadMail): AttachmentText[] {
  const shown = attachments.slice(0, MOST_ATTACHMENTS.count).map(({ filename, mimeType }) => ({
    name: cutToTokens(cleanLine(filename), MOST_TOKENS.filename),
    type: cutToTokens(cleanLine(mimeType), MOST_TOKENS.type),
  }));
  return firstWithin(shown, MOST_ATTACHMENTS, ({ name, type }) => name + type);
}
