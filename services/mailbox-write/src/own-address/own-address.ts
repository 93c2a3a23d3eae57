import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';

type Addresses = Pick<MailboxDocument, 'email' | 'aliases'>;

/** In lower case, as senders are stored. */
export function ownAddresses(mailbox: Addresses): string[] {
  return [mailbox, ...mailbox.aliases].map(({ email }) => email.toLowerCase());
}

export function isOwnAddress(mailbox: Addresses, address: string): boolean {
  return ownAddresses(mailbox).includes(address.toLowerCase());
}
