import { domainKey, isAddress } from '@postroom/contract/address';
import { isPublicProvider } from '@postroom/contract/public-providers';
import { codePoints } from '@postroom/contract/text';
import { refuse } from '@postroom/errors/refuse';
import type { NamedAddress } from '../compose/composition.ts';
import { correspondentOf } from '../correspondents/correspondent.ts';
import type { SendingMailbox, SourceEmail } from '../mail-reader/mail-reader-store.ts';

/** Nobody reads mail to these addresses (RFC 3834 section 2, and later usage). */
const NOBODY =
  /^(?:mailer-daemon|postmaster|owner-.*|.*-request|bounces?(?:[+=-].*)?|(?:.*[._+-])?(?:no|do[_-]?not|never)[._-]?reply(?:[._+-].*)?)$/i;

/**
 * The sender, or the Reply-To of the same domain unless it is a public provider. Nothing else in the mail names a
 * recipient.
 */
export function addresseeOf({ from, replyTo }: SourceEmail, mailbox: SendingMailbox): NamedAddress {
  if (replyTo !== null && !isOwn(mailbox, replyTo) && !isOfPublicProvider(replyTo))
    return { email: replyTo, name: from.name };
  if (!isAddress(from.email)) refuse('emailId', 'is an email without an address to answer');
  return from;
}

/** Longer than what anybody wants to send without having read it. */
const LONGEST_REPLY = 10_000;

/** Whether a machine may answer it. Automatic mail, and mail with a doubtful sender, is for a person to answer. */
export function mayBeAnswered(source: SourceEmail, to: NamedAddress, text: string, mailbox: SendingMailbox): boolean {
  if (source.isAutomatic || source.failsDmarc || source.folderType !== 'INBOX') return false;
  if (codePoints(text) > LONGEST_REPLY) return false;
  // Mail to lists and blind copies name no address of this mailbox, and are not answered (RFC 3834 section 2).
  if (![...source.to, ...source.cc].some(({ email }) => isOwn(mailbox, email))) return false;
  return !NOBODY.test(to.email.slice(0, to.email.lastIndexOf('@'))) && !isOwn(mailbox, to.email);
}

function isOfPublicProvider(address: string): boolean {
  return isPublicProvider(domainKey(address.slice(address.lastIndexOf('@') + 1)));
}

function isOwn({ email, aliases }: SendingMailbox, address: string): boolean {
  return [email, ...aliases.map((alias) => alias.email)].some(
    (own) => correspondentOf(own) === correspondentOf(address),
  );
}
