import { addressKey } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import type { SignatureDocument } from '@postroom/mail-store/documents/workspace';
import { defaultSignatureOf } from '@postroom/mail-store/own-sender';
import type { SendingMailbox } from '../mail-reader/mail-reader-store.ts';
import type { NamedAddress } from './composition.ts';

/** The sender of the message: the mailbox itself, or an alias that its provider allows. */
export function senderOf(mailbox: SendingMailbox, from: string | undefined): NamedAddress {
  if (from === undefined || addressKey(from) === addressKey(mailbox.email)) {
    return { email: mailbox.email, name: mailbox.name };
  }
  const alias = mailbox.aliases.find(({ email, verified }) => verified && addressKey(email) === addressKey(from));
  if (!alias) throw new ApiError('INVALID_SENDER_ALIAS');
  return { email: alias.email, name: alias.name ?? mailbox.name };
}

interface SignatureChoice {
  signature?: string | undefined;
  unsigned: boolean;
}

/** The signature named; else the default of the alias, of the mailbox, of the workspace, in this order. */
export function signatureOf(
  all: readonly SignatureDocument[],
  { signature, unsigned }: SignatureChoice,
  mailbox: Pick<SendingMailbox, '_id'>,
  sender: NamedAddress,
): SignatureDocument | null {
  if (unsigned) return null;
  if (signature !== undefined) {
    const named = all.find(({ _id }) => _id === signature);
    if (named) return named;
    throw new ApiError('VALIDATION_FAILED', { details: { signature: ['is not a signature of this workspace'] } });
  }
  return defaultSignatureOf(all, mailbox._id, sender.email);
}
