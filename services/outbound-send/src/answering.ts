import { addressKey, isAddress } from '@postroom/contract/address';
import { refuse } from '@postroom/errors/refuse';
import type { Address } from './compose/composition.ts';
import { correspondentOf } from './correspondent.ts';
import type { SendingMailbox, SourceEmail } from './directory-store.ts';

/** Nobody reads what is sent there (RFC 3834 section 2, and what is usual since). */
const NOBODY =
  /^(?:mailer-daemon|postmaster|owner-.*|.*-request|bounces?(?:[+=-].*)?|(?:.*[._+-])?(?:no|do[_-]?not|never)[._-]?reply(?:[._+-].*)?)$/i;

/** Who sent it, or where the same domain wants answers to go. Nothing else in the mail names a recipient. */
export function addresseeOf({ from, replyTo }: SourceEmail, mailbox: SendingMailbox): Address {
  if (replyTo !== null && !isOwn(mailbox, replyTo)) return { email: replyTo, name: from.name };
  if (!isAddress(from.email)) refuse('emailId', 'is an email without an address to answer');
  return from;
}

/** The address of the mailbox that the email was sent to; undefined where it names none of them. */
export function addressedOf({ to, cc }: SourceEmail, { email, aliases }: SendingMailbox): string | undefined {
  const own = [email, ...aliases.filter(({ verified }) => verified).map((alias) => alias.email)];
  const keys = new Set([...to, ...cc].map((address) => addressKey(address.email)));
  return own.find((address) => keys.has(addressKey(address)));
}

/** Whether a machine may answer it: what a machine sent, or may not be from whom it says, is for a person to answer. */
export function mayBeAnswered(source: SourceEmail, to: Address, mailbox: SendingMailbox): boolean {
  if (source.isAutomatic || source.failsDmarc || source.folderType !== 'INBOX') return false;
  return !NOBODY.test(to.email.slice(0, to.email.lastIndexOf('@'))) && !isOwn(mailbox, to.email);
}

function isOwn({ email, aliases }: SendingMailbox, address: string): boolean {
  return [email, ...aliases.map((alias) => alias.email)].some(
    (own) => correspondentOf(own) === correspondentOf(address),
  );
}
