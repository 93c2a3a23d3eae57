import { ApiError } from '@postroom/errors/api-error';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { OAuthCredentials } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { epochOf, renew, type RenewDeps } from './renew.ts';

/** How often it is looked whether somebody else has got a token. */
const LOOK_MS = 100;

/**
 * An access token that a server will take: the one there is, or another where that one is old or was refused. Of
 * several who ask at once one renews it. Nothing comes back where the mailbox has to be read again.
 */
export async function accessTokenOf(
  mailbox: MailboxDocument,
  held: OAuthCredentials,
  { refusedEpoch, signal }: { refusedEpoch: number | undefined; signal: AbortSignal },
  deps: RenewDeps & Pick<Deps, 'toItsEnd'>,
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
      // Somebody else is at it.
      await clock.sleep(LOOK_MS, signal);
      return undefined;
  }
}

/** Nobody holds the lock, and nobody may. */
function isResting({ tokenLock }: MailboxDocument, now: number): boolean {
  return tokenLock?.holder === null && (tokenLock.until?.getTime() ?? 0) > now;
}

/** No refusal: whoever asks backs off and asks again. */
function fail(message: string): never {
  throw new ApiError('INTERNAL_ERROR', { message });
}
