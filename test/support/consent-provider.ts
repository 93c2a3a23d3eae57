import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ConsentProvider = Awaited<ReturnType<typeof openConsentProvider>>;

interface Code {
  redirectUri: string | null;
  challenge: string | null;
  nonce: string | null;
  account: string;
}

const CLIENT = { id: 'client-of-postroom', secret: 'canary-client-secret' };

/** The settings of a provider, which tests change. */
const usualState = () => ({
  /** The account that gives the consent. */
  account: 'ann@gmail.test',
  /** The error that is sent back in place of a code. */
  refusal: undefined as string | undefined,
  /** The claims that name the account. */
  claims: (account: string): object => ({ email: account, email_verified: true, preferred_username: account }),
  /** Changes the answer of the token endpoint. */
  change: (answer: Record<string, unknown>) => answer,
  /** Answers in place of the token endpoint where it is set. */
  answer: undefined as ((response: ServerResponse) => void) | undefined,
  secret: CLIENT.secret,
  tokenRequests: 0,
  /** The scopes that were asked for last. */
  scope: '',
  /** The only address that codes are sent to. */
  redirectUri: '',
});

type State = ReturnType<typeof usualState>;

/** Gives codes, and takes each once, with the secret of the client and the PKCE verifier. */
function createAuthorization(state: State) {
  const codes = new Map<string, Code>();
  /** The account of each token. */
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();

  const tokensOf = (account: string) => {
    const tokens = { access_token: `canary-access-${secret()}`, refresh_token: `canary-refresh-${secret()}` };
    access.set(tokens.access_token, account);
    refresh.set(tokens.refresh_token, account);
    return { ...tokens, token_type: 'Bearer', expires_in: 3_600 };
  };

  /** The address that the browser goes to; undefined for a client or an address that is not registered. */
  const authorize = (query: URLSearchParams): string | undefined => {
    const isKnown = query.get('client_id') === CLIENT.id && query.get('redirect_uri') === state.redirectUri;
    if (!isKnown || query.get('response_type') !== 'code') return undefined;
    state.scope = query.get('scope') ?? '';
    const back = new URL(state.redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    if (state.refusal !== undefined) back.searchParams.set('error', state.refusal);
    else {
      const code = `canary-code-${secret()}`;
      const challenge = query.get('code_challenge_method') === 'S256' ? query.get('code_challenge') : null;
      const { account, redirectUri } = state;
      codes.set(code, { redirectUri, challenge, nonce: query.get('nonce'), account });
      back.searchParams.set('code', code);
    }
    return back.href;
  };

  const redeem = (form: URLSearchParams): [number, object] => {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const proof = createHash('sha256').update(form.get('code_verifier') ?? '');
    if (!code || code.redirectUri !== form.get('redirect_uri') || code.challenge !== proof.digest('base64url'))
      return [400, { error: 'invalid_grant', error_description: 'Malformed auth code.' }];
    const claims = { aud: CLIENT.id, nonce: code.nonce, exp: 4_000_000_000, ...state.claims(code.account) };
    const scope = state.scope.replaceAll(/(openid|offline_access) ?/g, '');
    return [200, state.change({ ...tokensOf(code.account), scope, id_token: unsigned(claims) })];
  };

  const grant = (form: URLSearchParams): [number, object] => {
    const isClient = form.get('client_id') === CLIENT.id && form.get('client_secret') === state.secret;
    if (!isClient) return [401, { error: 'invalid_client' }];
    if (form.get('grant_type') !== 'refresh_token') return redeem(form);
    const account = refresh.get(form.get('refresh_token') ?? '');
    return account === undefined ? [400, { error: 'invalid_grant' }] : [200, tokensOf(account)];
  };

  const revoke = () => {
    access.clear();
    refresh.clear();
  };
  return { authorize, grant, revoke, opens: (account: string, token: string) => access.get(token) === account };
}

/** A real authorization server of this process. Its tokens open the mailbox of the account that gave the consent. */
export async function openConsentProvider() {
  const state = usualState();
  const { authorize, grant, revoke, opens } = createAuthorization(state);
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/authorize') {
      const location = authorize(searchParams);
      return response.writeHead(location ? 302 : 400, location ? { location } : {}).end();
    }
    state.tokenRequests += 1;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (state.answer) return state.answer(response);
    const [status, body] = grant(new URLSearchParams(Buffer.concat(pieces).toString()));
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    state,
    opens,
    revoke,
    /** Everything as usual again, except for the return address. */
    reset: () => void Object.assign(state, usualState(), { redirectUri: state.redirectUri }),
    /** The variables of workspace for this provider. */
    variables: (prefix: 'GMAIL' | 'MICROSOFT365') => ({
      [`${prefix}_CLIENT_ID`]: CLIENT.id,
      [`${prefix}_CLIENT_SECRET`]: CLIENT.secret,
      [`${prefix}_AUTHORIZATION_URL`]: `${url}/authorize`,
      [`${prefix}_TOKEN_URL`]: `${url}/token`,
    }),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const secret = () => randomBytes(12).toString('base64url');

const unsigned = (claims: object) =>
  [{ alg: 'none' }, claims, '']
    .map((part) => (part === '' ? '' : Buffer.from(JSON.stringify(part)).toString('base64url')))
    .join('.');

/** Follows the provider as a browser does, and gives the query that the browser comes back with. */
export async function browseTo(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`the provider stopped with ${answer.status}: ${await answer.text()}`);
  return new URL(location).search;
}
