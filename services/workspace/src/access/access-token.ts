import { ApiError } from '@postroom/errors/api-error';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { OAuthCredentials } from '../vault/vault.ts';
import { epochOf, renew, type RenewDeps } from './renew.ts';

export interface AccessDeps extends RenewDeps {
  /** Its tasks go on when their caller has gone, and the process waits for them before it ends. */
  toItsEnd<T>(work: Promise<T>): Promise<T>;
}

/** The interval of the poll for a token of another process. */
const POLL_MS = 100;

/**
 * A valid access token: the stored one, or a new one when that is old or was refused. Of several simultaneous callers one
 * renews it. Undefined when the mailbox has to be read again.
 */
export async function accessTokenOf(
  mailbox: MailboxDocument,
  held: OAuthCredentials,
  { refusedEpoch, signal }: { refusedEpoch: number | undefined; signal: AbortSignal },
  deps: AccessDeps,
) {
  const { clock } = deps.context;
  const epoch = epochOf(mailbox);
  const known = epoch === refusedEpoch ? undefined : held.access;
  const usable = known && clock.now() < known.expiresAt ? { token: known.token, epoch } : undefined;
  if (usable && known && clock.now() < known.renewAt) return usable;
  if (isResting(mailbox, clock.now())) return usable ?? fail('The token endpoint failed a moment ago.');

  const renewal = await deps.toItsEnd(renew(mailbox, held, deps));
  switch (renewal?.outcome) {
    case 'renewed':
      return { token: renewal.access.token, epoch: renewal.epoch };
    case 'gone':
      throw new ApiError('MAILBOX_INACTIVE');
    case 'fault':
      return usable ?? fail(renewal.cause);
    case 'overtaken':
      return undefined;
    default:
      // Another process renews it.
      await clock.sleep(POLL_MS, signal);
      return undefined;
  }
}

/** Nobody holds the lock, and renewals pause. */
function isResting({ tokenLock }: MailboxDocument, now: number): boolean {
  return tokenLock?.holder === null && (tokenLock.until?.getTime() ?? 0) > now;
}

/** It is no refusal: the caller waits and tries again. */
function fail(message: string): never {
  throw new ApiError('INTERNAL_ERROR', { message });
}
