import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const OIDC_CLIENT = {
  OIDC_CLIENT_ID: 'postroom',
  OIDC_CLIENT_SECRET: 'a secret of the client',
  OIDC_NAME: 'Acme',
};

interface IdToken {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

interface Holder {
  subject: string;
  email?: string;
  email_verified?: unknown;
}

export type OidcIssuer = Awaited<ReturnType<typeof openOidcIssuer>>;

/** A real OpenID Connect provider of this process, whose one browser is signed in as `state.holder`. */
export async function openOidcIssuer(redirectUri = '', { isEmailInIdToken = true } = {}) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const state = {
    holder: { subject: 'nobody' } as Holder,
    /** Changes the id token before it is signed. */
    forge: undefined as ((token: IdToken) => IdToken) | undefined,
    tokenRequests: 0,
    /** The first request fixes it. */
    redirectUri,
    isDown: false,
  };
  const jwk = privateKey.export({ format: 'jwk' });
  let made: Provider | undefined;
  const issuing = () => (made ??= createIssuer(issuer, state, jwk, isEmailInIdToken));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (state.isDown) return response.writeHead(503).end();
    if (request.url?.startsWith('/interaction/'))
      return void issuing().interactionFinished(request, response, { login: { accountId: state.holder.subject } });
    if (request.url === '/token') {
      state.tokenRequests += 1;
      forging(response, state, (text) => createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url'));
    }
    return void issuing().callback()(request, response);
  });
  return {
    issuer,
    state,
    browse,
    close: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

function createIssuer(
  issuer: string,
  state: { holder: Holder; redirectUri: string },
  key: object,
  isEmailInIdToken: boolean,
): Provider {
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.OIDC_CLIENT_ID,
        client_secret: OIDC_CLIENT.OIDC_CLIENT_SECRET,
        redirect_uris: [state.redirectUri],
      },
    ],
    jwks: { keys: [{ ...key, kid: 'key' } as never] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !isEmailInIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => {
      const { subject: sub, ...claims } = { ...state.holder };
      return { accountId, claims: () => ({ sub, ...claims }) as never };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  return provider;
}

/** Rewrites the id token in the answer of the token endpoint. */
function forging(
  response: ServerResponse,
  state: { forge?: ((token: IdToken) => IdToken) | undefined },
  sign: (text: string) => string,
): void {
  const end = response.end.bind(response) as (body: unknown) => ServerResponse;
  const rewrite = (body: unknown) => {
    const answer = JSON.parse(String(body)) as { id_token?: string };
    if (!state.forge || answer.id_token === undefined) return end(body);
    const [header = '', claims = ''] = answer.id_token.split('.');
    const forged = state.forge({ header: decoded(header), claims: decoded(claims) });
    const text = [forged.header, forged.claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const token = `${text}.${forged.header['alg'] === 'none' ? '' : sign(text)}`;
    const changed = Buffer.from(JSON.stringify({ ...answer, id_token: token }));
    response.setHeader('Content-Length', changed.length);
    return end(changed);
  };
  response.end = rewrite as typeof response.end;
}

const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Follows the provider's redirects as a browser does, to the address outside of it, and gives its query. */
async function browse(url: string): Promise<string> {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();
  let at = url;
  while (at.startsWith(origin)) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]!.split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the provider stopped with ${answer.status}: ${await answer.text()}`);
    at = new URL(location, at).href;
  }
  return new URL(at).search;
}
