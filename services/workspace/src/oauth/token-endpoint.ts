import { secretOf, type Secret } from '@postroom/secrets/secret';
import { z } from 'zod';
import type { OAuthGrant } from '../vault/vault.ts';
import { postForm } from './post-form.ts';
import { EndpointFault, GrantGone } from './token-faults.ts';
import { withoutSecrets } from './without-secrets.ts';

export { EndpointFault, GrantGone } from './token-faults.ts';

export interface TokenAnswer {
  accessToken: Secret;
  expiresInMs: number;
  /** Absent where the one before stays good. */
  refreshToken?: Secret | undefined;
  /** The scopes that were granted; absent where they are those that were asked for. */
  scope?: string | undefined;
  /** The statements about the account, where they were asked for. */
  idToken?: Secret | undefined;
}

/** An authorization code, which the endpoint takes once. */
export interface CodeGrant extends Pick<OAuthGrant, 'tokenEndpoint' | 'clientId' | 'clientSecret'> {
  code: Secret;
  codeVerifier: Secret;
  redirectUri: string;
}

const LIMIT_MS = 10_000;
/** Its caller still has to be told within the time of a call. */
const CODE_LIMIT_MS = 7_000;
/** From here on it is not about what was asked. */
const SERVERS_FAULT = 500;
const USUAL_LIFE_S = 3_600;

const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().positive().catch(USUAL_LIFE_S).default(USUAL_LIFE_S),
  scope: z.string().optional().catch(undefined),
  id_token: z.string().optional().catch(undefined),
});
const fault = z.object({ error: z.string(), error_description: z.string().optional().catch(undefined) });

/** One request for an access token (RFC 6749, section 6). Nothing in what it throws is secret. */
export function requestTokens(grant: OAuthGrant, limitMs = LIMIT_MS): Promise<TokenAnswer> {
  const { tokenEndpoint, clientId, clientSecret, refreshToken, scope } = grant;
  const form = {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    client_secret: clientSecret,
    scope,
  };
  return askFor(tokenEndpoint, form, limitMs);
}

/** The tokens for an authorization code (RFC 6749, section 4.1.3, with RFC 7636). Nothing in what it throws is secret. */
export function exchangeCode(grant: CodeGrant, limitMs = CODE_LIMIT_MS): Promise<TokenAnswer> {
  const { tokenEndpoint, clientId, clientSecret, code, codeVerifier, redirectUri } = grant;
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: clientSecret,
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  };
  return askFor(tokenEndpoint, form, limitMs);
}

type Fields = Readonly<Record<string, string | Secret | undefined>>;

async function askFor(endpoint: string, fields: Fields, limitMs: number): Promise<TokenAnswer> {
  const present = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  const secrets = present.flatMap(([, value]) => (typeof value === 'string' ? [] : [value]));
  const form = new URLSearchParams();
  for (const [name, value] of present) form.set(name, typeof value === 'string' ? value : value.reveal());
  const { isOk, status, headers, text } = await postForm(endpoint, form, limitMs);
  const body = parsed(text);
  if (isOk) return tokensIn(body);
  const said = fault.safeParse(body).data;
  const what = said ? `${said.error} ${said.error_description ?? ''}`.trim() : 'nothing more';
  const message = withoutSecrets(`the token endpoint answered ${status}: ${what}`, secrets);
  if (status < SERVERS_FAULT && said?.error === 'invalid_grant') throw new GrantGone(message);
  throw new EndpointFault(message, Number(headers.get('retry-after')) * 1_000 || undefined);
}

function tokensIn(body: unknown): TokenAnswer {
  const answer = tokens.safeParse(body);
  if (!answer.success) throw new EndpointFault('the token endpoint answered without an access token');
  const { access_token, refresh_token, expires_in, scope, id_token } = answer.data;
  return {
    accessToken: secretOf(access_token),
    expiresInMs: expires_in * 1_000,
    ...(refresh_token !== undefined && { refreshToken: secretOf(refresh_token) }),
    ...(scope !== undefined && { scope }),
    ...(id_token !== undefined && { idToken: secretOf(id_token) }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
