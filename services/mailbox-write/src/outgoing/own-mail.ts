import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { Arrival } from '../ingest/email-document.ts';

/** A message that was made here, on its way to its folder. */
export interface OwnMail {
  mailbox: MailboxDocument;
  arrival: Arrival;
}
