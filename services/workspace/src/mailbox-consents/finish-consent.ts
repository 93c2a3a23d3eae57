import { createHash } from 'node:crypto';
import { addressKey, isAddress } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import type { MailboxConsentDocument, MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { Consent, FinishConsentRequest } from '@postroom/proto/postroom/v1/workspace';
import type { Call } from '@postroom/rpc/call';
import type { ServiceContext } from '@postroom/runtime/service';
import { secretOf } from '@postroom/secrets/secret';
import type { MailboxDeps } from '../mailboxes/mailboxes.ts';
import { type CodeGrant, EndpointFault, GrantGone, type TokenAnswer } from '../oauth/token-endpoint.ts';
import type { Credentials, Vault } from '../vault/vault.ts';
import type { ConsentClient, ConsentClients } from './consent-clients.ts';
import type { ConsentStore } from './consent-store.ts';
import { accountFault, mailboxFault, noClient, notValid, refusedBy, tokenFault } from './consent-faults.ts';
import { idClaimsIn } from './id-claims.ts';

export interface MailboxConsentDeps extends MailboxDeps {
  context: Pick<ServiceContext, 'clock' | 'ids' | 'log'>;
  consents: ConsentStore;
  consentClients: ConsentClients;
  vault: Pick<Vault, 'seal' | 'open'>;
  exchangeCode(grant: CodeGrant): Promise<TokenAnswer>;
}

/** For the consent of the person, and for its answer after that. */
export const CONSENT_MS = 10 * 60_000;
/** Providers return a code, a state and little more. */
const MOST_QUERY = 8_192;

export const idOfState = (state: string): string => createHash('sha256').update(state).digest('base64url');

/** Takes the answer of the provider, gets the tokens, and keeps them sealed until the logins were tried. */
export async function finishConsent(
  request: FinishConsentRequest,
  call: Call,
  deps: MailboxConsentDeps,
): Promise<Consent> {
  const { workspaceId, sessionId, provider, query } = request;
  const client = deps.consentClients.find(provider);
  if (!client) throw noClient();
  const answer = new URLSearchParams(query.length > MOST_QUERY ? '' : query);
  const named = { id: idOfState(answer.get('state') ?? ''), sessionId, provider };
  const consent = await deps.consents.take(workspaceId, named, deps.context.clock.date(), call);
  if (!consent) throw notValid();
  if (answer.has('error')) throw refusedBy(client, answer.get('error') ?? '');
  const code = answer.get('code');
  if (!code) throw notValid();
  return deps.toItsEnd(redeem(code, consent, client, call, deps));
}

async function redeem(
  code: string,
  consent: MailboxConsentDocument,
  client: ConsentClient,
  call: Call,
  deps: MailboxConsentDeps,
): Promise<Consent> {
  const { _id: id, workspaceId, mailboxId, isReconnect } = consent;
  const tokens = await tokensFor(code, consent, client, deps);
  const email = accountIn(tokens, consent, client, deps);
  const fault = mailboxFault(email, await mailboxOf(email, consent, call, deps), consent);
  if (fault) throw fault;
  const credentials = await deps.vault.seal({ workspaceId, mailboxId }, credentialsOf(tokens, client, deps));
  const expiresAt = new Date(deps.context.clock.now() + CONSENT_MS);
  if (!(await deps.consents.give(workspaceId, id, { email, credentials, expiresAt }, call))) throw notValid();
  return { id, email, mailboxId: isReconnect ? mailboxId : undefined };
}

async function tokensFor(
  code: string,
  { codeVerifier, redirectUri }: MailboxConsentDocument,
  client: ConsentClient,
  { exchangeCode, context }: MailboxConsentDeps,
): Promise<TokenAnswer> {
  const { tokenEndpoint, clientId, clientSecret } = client;
  const proof = { code: secretOf(code), codeVerifier: secretOf(codeVerifier ?? ''), redirectUri };
  try {
    return await exchangeCode({ tokenEndpoint, clientId, clientSecret, ...proof });
  } catch (error) {
    if (!(error instanceof GrantGone || error instanceof EndpointFault)) throw error;
    const { message: reason } = error;
    context.log.warn({ provider: client.id, reason }, 'a consent got no tokens; the person can begin another');
    throw tokenFault(client, error);
  }
}

/** The address of the account, when the consent covers all that a mailbox needs. */
function accountIn(
  { refreshToken, scope, idToken }: TokenAnswer,
  { nonce }: MailboxConsentDocument,
  client: ConsentClient,
  { context: { clock } }: MailboxConsentDeps,
): string {
  const { clientId, mailScopes, addressIn } = client;
  const granted = scope?.split(' ').map(permission);
  const isWhole = !granted || mailScopes.every((each) => granted.includes(permission(each)));
  if (!isWhole) throw accountFault(client, 'scopes');
  if (!refreshToken) throw accountFault(client, 'refreshToken');
  const claims = idToken && idClaimsIn(idToken, { clientId, nonce, now: clock.now() });
  const address = claims && addressIn(claims);
  if (address === undefined || !isAddress(address)) throw accountFault(client, 'address');
  return address;
}

/** Microsoft can name the resource of a permission by another of its hosts. */
const permission = (scope: string) => (scope.split('/').at(-1) || scope).toLowerCase();

/** The mailbox to connect again, or one that has the address already. */
async function mailboxOf(
  email: string,
  { workspaceId, mailboxId, isReconnect }: MailboxConsentDocument,
  call: Call,
  { mailboxes }: MailboxConsentDeps,
): Promise<MailboxDocument | null> {
  if (isReconnect) return mailboxes.find(workspaceId, mailboxId, call);
  const key = addressKey(email);
  return (await mailboxes.list(workspaceId, call)).find(({ emailKey }) => emailKey === key) ?? null;
}

/** Without the secret of the client: it can change, and stands in the configuration alone. */
function credentialsOf(
  { accessToken, refreshToken, expiresInMs }: TokenAnswer,
  { tokenEndpoint, clientId, scope }: ConsentClient,
  { context: { clock } }: MailboxConsentDeps,
): Credentials {
  if (!refreshToken) throw new ApiError('CONSENT_FAILED');
  const expiresAt = clock.now() + expiresInMs;
  return {
    kind: 'oauth',
    grant: { tokenEndpoint, clientId, refreshToken, scope },
    access: { token: accessToken, renewAt: expiresAt - expiresInMs / 5, expiresAt },
  };
}
