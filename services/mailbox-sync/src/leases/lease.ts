import type { MailboxLeaseDocument } from '@postroom/mail-store/documents/sync';

/** What its holder needs of a lease, and brings along with every write. */
export interface Lease extends Pick<MailboxLeaseDocument, 'workspaceId' | 'epoch' | 'round'> {
  mailboxId: string;
}
