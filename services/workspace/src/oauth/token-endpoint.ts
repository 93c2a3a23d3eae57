import { secretOf, type Secret } from '@postroom/secrets/secret';
import { z } from 'zod';
import type { OAuthGrant } from '../vault/vault.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface TokenAnswer {
  accessToken: Secret;
  expiresInMs: number;
  /** Absent where the one before stays good. */
  refreshToken?: Secret | undefined;
}

/** The provider has taken the grant back: asking again cannot help. */
export class GrantGone extends Error {}

/** The endpoint is unavailable, busy, or refuses the client. The grant may be valid. */
export class EndpointFault extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

const LIMIT_MS = 10_000;
const MOST_BYTES = 65_536;
/** From here on it is not about what was asked. */
const SERVERS_FAULT = 500;
const USUAL_LIFE_S = 3_600;

const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().positive().catch(USUAL_LIFE_S).default(USUAL_LIFE_S),
});
const fault = z.object({ error: z.string(), error_description: z.string().optional().catch(undefined) });

/** One request for an access token (RFC 6749, section 6). Nothing in what it throws is secret. */
export async function requestTokens(grant: OAuthGrant, limitMs = LIMIT_MS): Promise<TokenAnswer> {
  const { isOk, status, headers, text } = await post(grant, limitMs);
  const body = parsed(text);
  if (isOk) {
    const answer = tokens.safeParse(body);
    if (!answer.success) throw new EndpointFault('the token endpoint answered without an access token');
    const { access_token, refresh_token, expires_in } = answer.data;
    return {
      accessToken: secretOf(access_token),
      expiresInMs: expires_in * 1_000,
      ...(refresh_token !== undefined && { refreshToken: secretOf(refresh_token) }),
    };
  }
  const said = fault.safeParse(body).data;
  const what = said ? `${said.error} ${said.error_description ?? ''}`.trim() : 'nothing more';
  const message = withoutSecrets(`the token endpoint answered ${status}: ${what}`, grant);
  if (status < SERVERS_FAULT && said?.error === 'invalid_grant') throw new GrantGone(message);
  throw new EndpointFault(message, Number(headers.get('retry-after')) * 1_000 || undefined);
}

async function post({ tokenEndpoint, clientId, clientSecret, refreshToken, scope }: OAuthGrant, limitMs: number) {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken.reveal(),
    ...(clientSecret && { client_secret: clientSecret.reveal() }),
    ...(scope && { scope }),
  });
  const signal = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(tokenEndpoint, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: form,
      // The form has secrets, so it is not sent to another address.
      redirect: 'error',
      signal,
    });
    return { isOk: response.ok, status: response.status, headers: response.headers, text: await bounded(response) };
  } catch {
    // The message of the library may contain the sent secrets, so it is left out.
    throw new EndpointFault(
      signal.aborted ? 'the token endpoint did not answer in time' : 'the token endpoint is out of reach',
    );
  }
}

async function bounded({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.byteLength;
    if (length > MOST_BYTES) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
