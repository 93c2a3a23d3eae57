import { addressKey } from '@postroom/contract/address';
import type { EmailDocument } from './documents/email.ts';
import type { MailboxDocument } from './documents/mailbox.ts';
import type { SignatureDocument } from './documents/workspace.ts';

/** The address of the mailbox that the email was sent to; undefined where it names none of them. */
export function addressedOf(
  { to, cc }: Pick<EmailDocument, 'to' | 'cc'>,
  { email, aliases }: Pick<MailboxDocument, 'email' | 'aliases'>,
): string | undefined {
  const own = [email, ...aliases.filter(({ verified }) => verified).map((alias) => alias.email)];
  const keys = new Set([...to, ...cc].map((address) => addressKey(address.email)));
  return own.find((address) => keys.has(addressKey(address)));
}

type Choice = Pick<SignatureDocument, 'isDefault' | 'aliasEmail' | 'mailboxId'>;

/** The default of the alias, of the mailbox, of the workspace, in this order. */
export function defaultSignatureOf<S extends Choice>(all: readonly S[], mailboxId: string, sender: string): S | null {
  const defaults = all.filter(({ isDefault }) => isDefault);
  const key = addressKey(sender);
  return (
    defaults.find(({ aliasEmail }) => aliasEmail !== null && addressKey(aliasEmail) === key) ??
    defaults.find((one) => one.aliasEmail === null && one.mailboxId === mailboxId) ??
    defaults.find((one) => one.aliasEmail === null && one.mailboxId === null) ??
    null
  );
}
