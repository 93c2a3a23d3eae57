import { createHash } from 'node:crypto';
import type { ConsentClient } from './consent-clients.ts';

interface Request {
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
  /** The account that the person means. */
  loginHint: string | undefined;
}

/** The address at which the provider asks the person (RFC 6749, section 4.1.1, with RFC 7636). */
export function authorizationUrl(client: ConsentClient, request: Request): string {
  const { authorizationEndpoint, clientId, mailScopes, otherScopes, parameters } = client;
  const { state, nonce, codeVerifier, redirectUri, loginHint } = request;
  const url = new URL(authorizationEndpoint);
  const values = {
    ...parameters,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: [...otherScopes, ...mailScopes].join(' '),
    state,
    nonce,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(loginHint !== undefined && { login_hint: loginHint }),
  };
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}
