import type { MailboxLeaseDocument } from '@postroom/mail-store/documents/sync';

/** The fields of a lease that its holder sends with every write. */
export interface Lease extends Pick<MailboxLeaseDocument, 'workspaceId' | 'epoch'> {
  mailboxId: string;
}
