import type { EmailDocument, MailboxIn } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';

type Addresses = Pick<MailboxDocument, 'email' | 'aliases'>;

/** In lower case, as senders are stored. */
export function ownAddresses(mailbox: Addresses): string[] {
  return [mailbox, ...mailbox.aliases].map(({ email }) => email.toLowerCase());
}

export function isOwnAddress(mailbox: Addresses, address: string): boolean {
  return ownAddresses(mailbox).includes(address.toLowerCase());
}

/** To and Cc as they were received, however many they name. A part behind a plus is the owner's own choice. */
export function mailboxInOf(mailbox: Addresses, { to, cc }: Pick<EmailDocument, 'to' | 'cc'>): MailboxIn {
  const own = new Set(ownAddresses(mailbox));
  const isOwn = ({ email }: { email: string }): boolean =>
    own.has(email.toLowerCase()) || own.has(withoutTag(email.toLowerCase()));
  if (to.some(isOwn)) return 'to';
  return cc.some(isOwn) ? 'cc' : 'neither';
}

function withoutTag(address: string): string {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+', 1);
  return plus === -1 || plus > at ? address : `${address.slice(0, plus)}${address.slice(at)}`;
}
