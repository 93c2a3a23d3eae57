import { createHash, randomBytes } from 'node:crypto';
import type { OAuthAnswer } from '@postroom/proto/postroom/v1/identity';
import { type Identity, ISSUER, RESOURCE } from './identity.ts';

export const REDIRECT = 'http://127.0.0.1:7777/callback';

interface Answered {
  status: number;
  text: string;
  header(name: string): string | undefined;
  cookies: string[];
  json(): Record<string, unknown>;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  form?: Record<string, string>;
  json?: object;
  address?: string;
}

type Answering = Pick<Identity, 'answerOAuth'>;

/** The authorization server, and the MCP server that its tokens are for. */
interface Server {
  issuer: string;
  resource: string;
}

const OWN: Server = { issuer: ISSUER, resource: RESOURCE };

type Jar = Map<string, { value: string; path: string }>;

/** A browser and a client in one: it keeps cookies as a browser does, and knows the secrets of the client. */
export function oauthClient(identity: Answering, sessionToken?: string, { issuer, resource }: Server = OWN) {
  const jar: Jar = new Map();
  if (sessionToken) jar.set('postroom_session', { value: sessionToken, path: '/' });
  const ask = asking(identity, jar, issuer);
  return { ask, jar, ...flow(ask, issuer, resource) };
}

function asking(identity: Answering, jar: Jar, issuer: string) {
  return async (url: string, { method, headers = {}, form, json, address = '203.0.113.9' }: Asked = {}) => {
    const path = url.startsWith(issuer) ? url.slice(issuer.length) : url;
    const pathname = path.split('?', 1)[0] ?? '';
    const sent = [...jar].filter(([, cookie]) => pathname.startsWith(cookie.path));
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const type = json ? 'application/json' : form ? 'application/x-www-form-urlencoded' : undefined;
    const body = Buffer.from(json ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : '');
    const all = { ...(cookie && { cookie }), ...(type && { 'content-type': type }), ...headers };
    const named = Object.entries(all).map(([name, value]) => ({ name, value }));
    const asked = { method: method ?? (type ? 'POST' : 'GET'), url: path, headers: named, body, address };
    const answered = read(await identity.answerOAuth(asked, {}));
    for (const line of answered.cookies) keep(line, jar);
    return answered;
  };
}

function flow(ask: ReturnType<typeof asking>, issuer: string, resource: string) {
  const verifier = randomBytes(32).toString('base64url');
  const register = async (extra: object = {}) =>
    (await ask('/oauth/register', { json: { client_name: 'Helper', redirect_uris: [REDIRECT], ...extra } })).json();
  const authorizeUrl = (clientId: string, extra: Record<string, string | undefined> = {}) => {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const params = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: REDIRECT,
      scope: 'read write',
      state: 'st',
      resource,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...extra,
    };
    const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
  };
  /** Up to the page that asks, and its path. */
  const begin = async (clientId: string, extra?: Record<string, string | undefined>) => {
    const { header } = await ask(authorizeUrl(clientId, extra));
    const path = header('location') ?? '';
    return { path, page: await ask(path) };
  };
  const decide = (path: string, form: Record<string, string>, headers: Record<string, string> = { origin: issuer }) =>
    ask(path, { form, headers });
  /** From the answer of the person to the address that the client gets. */
  const finish = async (decided: Answered): Promise<URL> => {
    const last = await ask(decided.header('location') ?? '');
    return new URL(last.header('location') ?? `${issuer}/nowhere?${last.status}`);
  };
  const token = (form: Record<string, string>) => ask('/oauth/token', { form });
  const exchange = (clientId: string, code: string, extra: Record<string, string> = {}) =>
    token({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      ...extra,
    });
  const refresh = (clientId: string, refreshToken: string, extra: Record<string, string> = {}) =>
    token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, ...extra });
  const revoke = (clientId: string, value: string) =>
    ask('/oauth/revoke', { form: { client_id: clientId, token: value } });
  /** The whole way of a person who allows it. */
  const allow = async (workspace: string, level = 'drafts', clientId?: string) => {
    const id = clientId ?? String((await register())['client_id']);
    const { path } = await begin(id);
    const back = await finish(await decide(path, { decision: 'allow', workspace, level }));
    const code = back.searchParams.get('code') ?? '';
    const tokens = (await exchange(id, code)).json() as Record<'access_token' | 'refresh_token' | 'scope', string>;
    return { clientId: id, code, back, ...tokens };
  };
  return { register, authorizeUrl, begin, decide, finish, exchange, refresh, revoke, allow };
}

export const resolve = (identity: Pick<Identity, 'resolveAccessToken'>, accessToken: string) =>
  identity.resolveAccessToken({ tokenHash: createHash('sha256').update(accessToken).digest('hex') }, {});

function read({ status, headers, body }: OAuthAnswer): Answered {
  const text = Buffer.from(body).toString('utf8');
  const all = (name: string) => headers.filter((one) => one.name.toLowerCase() === name).map(({ value }) => value);
  return {
    status,
    text,
    header: (name) => all(name)[0],
    cookies: all('set-cookie'),
    json: () => JSON.parse(text) as Record<string, unknown>,
  };
}

function keep(line: string, jar: Map<string, { value: string; path: string }>): void {
  const [pair = '', ...attributes] = line.split('; ');
  const [name = '', value = ''] = pair.split('=');
  const path = attributes.find((one) => one.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
  if (value === '') jar.delete(name);
  else jar.set(name, { value, path });
}
