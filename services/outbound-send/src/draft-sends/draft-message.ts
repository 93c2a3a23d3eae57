import { createHash } from 'node:crypto';
import { addressKey, isAddress } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import type { ShownMessagePart } from '@postroom/mail-store/documents/send';
import type { OutgoingBody } from '../compose/body.ts';
import type { Composition, NamedAddress } from '../compose/composition.ts';
import { messageIdOf } from '../compose/build-composition.ts';
import { senderOf } from '../compose/sender.ts';
import type { SendingMailbox, StoredDraft } from '../mail-reader/mail-reader-store.ts';

/** Ids of drafts that other programs wrote may have a form that no header can hold. */
const MESSAGE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>$/;
/** An image of the message itself, which is an attachment that the draft would lose. */
const OWN_IMAGE = /["'(]\s*cid:/i;

/** The message that a draft becomes. It has the Message-ID of the draft, so that a provider's copy is known as the same. */
export function compositionOfDraft(
  draft: StoredDraft,
  { html, text }: OutgoingBody,
  mailbox: SendingMailbox,
  { operation, date }: { operation: string; date: Date },
): Composition {
  if (draft.hasAttachments || (html !== null && OWN_IMAGE.test(html)))
    throw new ApiError('CONFLICT', { message: 'This draft has attachments; send it with a mail program.' });
  const [to, cc, bcc] = recipientsOf(draft);
  if (to.length + cc.length + bcc.length === 0) refuse('draftId', 'is a draft without recipients');
  const from = senderOf(mailbox, draft.from.email === '' ? undefined : draft.from.email);
  const messageId = MESSAGE_ID.test(draft.messageId) ? draft.messageId : messageIdOf(operation, from.email);
  const { subject, inReplyTo, references } = draft;
  const body = html === null ? { html, text: text ?? '' } : { html, text };
  return { messageId, date, from, to, cc, bcc, subject, inReplyTo, references, ...body };
}

/** Each address once. */
function recipientsOf({ to, cc, bcc }: StoredDraft): [NamedAddress[], NamedAddress[], NamedAddress[]] {
  const seen = new Set<string>();
  const fresh = (addresses: readonly NamedAddress[]): NamedAddress[] =>
    addresses.filter(({ email }) => {
      if (!isAddress(email)) refuse('draftId', 'is a draft with a recipient that is not an email address');
      const isNew = !seen.has(addressKey(email));
      seen.add(addressKey(email));
      return isNew;
    });
  return [fresh(to), fresh(cc), fresh(bcc)];
}

/** Recipients and content. Two messages with the same fingerprint differ in their dates and ids alone. */
export function fingerprintOfDraft({ from, to, cc, bcc, subject, inReplyTo, html, text }: Composition): string {
  const named = (addresses: readonly NamedAddress[]) => addresses.map(({ email, name }) => [email, name]);
  const said = [from.email, named(to), named(cc), named(bcc), subject, inReplyTo, html, text];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

export function shownOfDraft({ to, cc, bcc, subject, html, text }: Composition): ShownMessagePart {
  const written = (addresses: readonly NamedAddress[]) => addresses.map(writtenAddress);
  return { to: written(to), cc: written(cc), bcc: written(bcc), subject, html, text };
}

/** The name leaves with the message, so it is shown: behind the address, which it could pretend to be. */
const writtenAddress = ({ email, name }: NamedAddress): string => (name ? `${email} (named “${name}”)` : email);

/** The recipients who are neither in the thread nor the mailbox itself. */
export function strangersOf(
  { to, cc, bcc }: Pick<Composition, 'to' | 'cc' | 'bcc'>,
  participants: readonly NamedAddress[],
  { email, aliases }: SendingMailbox,
): string[] {
  const own = [email, ...aliases.filter(({ verified }) => verified).map((alias) => alias.email)];
  const known = new Set([...own, ...participants.map((one) => one.email)].map(addressKey));
  return [...to, ...cc, ...bcc].map((one) => one.email).filter((address) => !known.has(addressKey(address)));
}
