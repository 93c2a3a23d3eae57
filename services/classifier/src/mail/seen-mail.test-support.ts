import { type MailText, type ReadMail, toMailText } from './mail-text.ts';

const READ: ReadMail = {
  from: { email: 'bob@other.example', name: null },
  to: [{ email: 'ann@acme.example', name: null }],
  cc: [],
  subject: 'Price',
  date: new Date(0),
  attachments: [],
  mailboxIn: 'to',
  hasWrittenToSender: false,
  html: null,
  text: '',
};

/** An email of Bob to Ann, with the given parts, as a model sees it. */
export const seenMail = (parts: Partial<ReadMail> = {}): MailText => toMailText({ ...READ, ...parts });
