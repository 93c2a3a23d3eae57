import { addressKey } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import type { MailboxConsentDocument, MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { GrantGone } from '../oauth/token-endpoint.ts';
import type { ConsentClient } from './consent-clients.ts';

const failed = (message: string) => new ApiError('CONSENT_FAILED', { message });

/** One sentence for all of these, so that nobody learns of the consent of another session. */
export const notValid = () =>
  failed(
    'This consent took too long, was used already, or began in another session or workspace. Nothing is connected; start again.',
  );

export const noClient = () =>
  failed('No OAuth client is configured for this provider. Ask an operator, or use an app password.');

/** The provider sends the browser back with this code instead of a grant. */
export function refusedBy({ name }: ConsentClient, code: string): ApiError {
  if (code === 'access_denied')
    return failed(
      `${name} was not given the consent. Nothing is connected; start again and allow the access, or ask an administrator of your organization to approve it.`,
    );
  const known = /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : '';
  return failed(`${name} refused the request${known}. Nothing is connected; start again, or tell an operator.`);
}

export function tokenFault({ name }: ConsentClient, fault: Error): ApiError {
  const next = 'Nothing is connected; start again';
  if (fault instanceof GrantGone)
    return failed(`${name} no longer accepts this consent, because it is too old or was used already. ${next}.`);
  return failed(`${name} gave no tokens: ${fault.message}. ${next} in a minute, and tell an operator if it stays so.`);
}

/** The part that the tokens lack. */
export function accountFault({ name, mailScopes }: ConsentClient, lack: 'scopes' | 'refreshToken' | 'address') {
  const sentences = {
    scopes: `The access to mail was not allowed. Nothing is connected; start again and allow all of it (${mailScopes.join(', ')}).`,
    refreshToken: `${name} gave no lasting access. Nothing is connected; remove this app from the connected apps of your account at ${name}, then start again.`,
    address: `${name} did not say which address the account has. Nothing is connected; start again with another account.`,
  };
  return failed(sentences[lack]);
}

/** A new mailbox needs a new address. A mailbox that is connected again needs its own account. */
export function mailboxFault(
  email: string,
  mailbox: MailboxDocument | null,
  { isReconnect }: Pick<MailboxConsentDocument, 'isReconnect'>,
): ApiError | undefined {
  if (!isReconnect) {
    if (!mailbox) return undefined;
    const message = `The address ${mailbox.email} is connected already. Close this, and choose "Reconnect" at its mailbox.`;
    return new ApiError('CONFLICT', { message });
  }
  if (!mailbox) return new ApiError('MAILBOX_NOT_FOUND');
  const accounts = [mailbox.email, mailbox.server?.user ?? ''].map(addressKey);
  if (accounts.includes(addressKey(email))) return undefined;
  return failed(
    `The consent is for ${email}, and this mailbox is ${mailbox.email}. Nothing is changed; start again and choose the account ${mailbox.email}.`,
  );
}
