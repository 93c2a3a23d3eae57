import type { Relay } from '@postroom/events/outbox/relay';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { toOutboxEntry } from '@postroom/mail-store/outbox-store';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { ServiceContext } from '@postroom/runtime/service';
import type { MailboxStore } from '../mailboxes/mailboxes.ts';
import { EndpointFault, GrantGone, type TokenAnswer } from '../oauth/token-endpoint.ts';
import { changeOfFailure } from '../sync-state/sync-state.ts';
import type { AccessToken, OAuthCredentials, OAuthGrant, RenewalStore, Vault } from '../vault/vault.ts';

type Renewal =
  | { outcome: 'renewed'; access: AccessToken; epoch: number }
  /** The credentials were changed, or the mailbox was stopped, so the read data is stale. */
  | { outcome: 'overtaken' }
  | { outcome: 'gone' }
  | { outcome: 'fault'; cause: string };

export interface RenewDeps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  mailboxes: Pick<MailboxStore, 'find' | 'change'>;
  renewals: RenewalStore;
  vault: Pick<Vault, 'seal' | 'open'>;
  /** Of the unpublished events of mailboxes. */
  relay: Pick<Relay, 'publishSoon'>;
  tokenEndpoint(grant: OAuthGrant): Promise<TokenAnswer>;
  /** Between 0 and 1. */
  random(): number;
}

/** Longer than all that a renewal waits for, so that a lock is taken over from the dead alone. */
const LOCK_MS = 60_000;
/** For so long an endpoint that failed is left alone. */
const REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;
/** A renewal is completed also when nobody waits for it any more. */
const SHARE_OF_LIFE = 0.8;
const SPREAD = 0.2;

/**
 * A new access token for a mailbox, by one process at a time: two uses of one refresh token look like theft to a provider
 * that accepts each once. Undefined when another process renews it.
 */
export async function renew(
  mailbox: MailboxDocument,
  held: OAuthCredentials,
  deps: RenewDeps,
): Promise<Renewal | undefined> {
  const { _id: mailboxId, workspaceId } = mailbox;
  const { renewals, tokenEndpoint, context } = deps;
  const { clock, ids } = context;
  const lock = { epoch: epochOf(mailbox), holder: ids('tlk'), until: new Date(clock.now() + LOCK_MS) };
  if (!(await renewals.lock(workspaceId, mailboxId, lock, clock.date(), QUERY_BUDGET))) return undefined;
  let restMs = 0;
  try {
    return await save(mailbox, held, await tokenEndpoint(held.grant), deps);
  } catch (error) {
    if (error instanceof GrantGone) return await stop(mailbox, error, deps);
    if (!(error instanceof EndpointFault)) throw error;
    restMs = Math.min(error.retryAfterMs ?? REST_MS, LONGEST_REST_MS);
    return { outcome: 'fault', cause: error.message };
  } finally {
    await renewals.rest(workspaceId, mailboxId, lock.holder, new Date(clock.now() + restMs), QUERY_BUDGET);
  }
}

export const epochOf = ({ tokenLock }: Pick<MailboxDocument, 'tokenLock'>): number => tokenLock?.epoch ?? 0;

/** The new refresh token is stored before anybody gets the access token: a crash in between loses nothing. */
async function save(
  mailbox: MailboxDocument,
  { grant }: OAuthCredentials,
  answer: TokenAnswer,
  deps: RenewDeps,
): Promise<Renewal> {
  const { _id: mailboxId, workspaceId } = mailbox;
  const epoch = epochOf(mailbox);
  const access = accessOf(answer, deps);
  const renewed = { ...grant, refreshToken: answer.refreshToken ?? grant.refreshToken };
  const sealed = await deps.vault.seal({ workspaceId, mailboxId }, { kind: 'oauth', grant: renewed, access });
  const isSaved = await deps.renewals.save(workspaceId, mailboxId, epoch, sealed, QUERY_BUDGET);
  return isSaved ? { outcome: 'renewed', access, epoch: epoch + 1 } : { outcome: 'overtaken' };
}

function accessOf({ accessToken, expiresInMs }: TokenAnswer, { context: { clock }, random }: RenewDeps): AccessToken {
  // A random part spreads the renewals of mailboxes that were connected together.
  const share = SHARE_OF_LIFE + (random() - 0.5) * SPREAD;
  const now = clock.now();
  return { token: accessToken, renewAt: now + expiresInMs * share, expiresAt: now + expiresInMs };
}

/** A retry cannot help: one write stops the mailbox and adds the event for its workspace. */
async function stop(before: MailboxDocument, { message }: GrantGone, deps: RenewDeps): Promise<Renewal> {
  const { mailboxes, relay, context } = deps;
  const { _id: mailboxId, workspaceId } = before;
  for (;;) {
    const mailbox = await mailboxes.find(workspaceId, mailboxId, QUERY_BUDGET);
    // A slow process used an old refresh token, so its error tells nothing about the new one.
    if (!mailbox || epochOf(mailbox) !== epochOf(before) || mailbox.status !== 'active')
      return { outcome: 'overtaken' };
    const change = changeOfFailure(mailbox, { cause: message, isRefusal: true, isFinal: true }, context);
    if (!(await mailboxes.change(workspaceId, mailbox, change, QUERY_BUDGET))) continue;
    relay.publishSoon([toOutboxEntry({ _id: mailboxId, outbox: change.events })]);
    return { outcome: 'gone' };
  }
}
