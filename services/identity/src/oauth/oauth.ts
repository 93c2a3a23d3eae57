import type { IncomingMessage, ServerResponse } from 'node:http';
import { SCOPES } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import type { OAuthRequest, IdentityServiceDefinition, OAuthAnswer } from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import { once } from '@postroom/runtime/once';
import type { ServiceContext } from '@postroom/runtime/service';
import inject, { type Response } from 'light-my-request';
import type { RegistrationLimit } from '../registrations/registrations.ts';
import type { AdapterDeps } from './adapter.ts';
import { createConsent, type ConsentDeps } from './consent.ts';
import { CONSENT_PATH, createProvider, type ProviderSettings } from './provider.ts';

export type { ProviderSettings } from './provider.ts';

export interface OAuthDeps extends AdapterDeps, ConsentDeps {
  context: ConsentDeps['context'] & Pick<ServiceContext, 'log'>;
  registrations: RegistrationLimit;
}

type Answerer = (asked: OAuthRequest) => (request: IncomingMessage, response: ServerResponse) => void;

const AUTHORIZE = '/oauth/authorize?';

/** Requests that reach the app are answered here: `/oauth/…`, and the metadata of RFC 8414. */
export function oauthHandlers(settings: ProviderSettings | undefined, deps: OAuthDeps) {
  if (!settings) return { answerOAuth: () => Promise.reject(new ApiError('NOT_FOUND')) };
  // Its key takes a while to make, and few processes are asked for it before they are ready.
  const answerer = once(() => createAnswerer(settings, deps));
  const issuer = new URL(settings.issuer);
  return {
    answerOAuth: async (asked, call) => {
      if (asked.method === 'POST' && asked.url.split('?', 1)[0] === '/oauth/register') {
        const waitS = await deps.registrations.take(asked.address, call);
        if (waitS > 0) return tooMany(waitS);
      }
      const hasBody = asked.method !== 'GET' && asked.method !== 'HEAD';
      const answer = await inject(answerer()(asked), {
        method: asked.method as 'GET',
        url: withScopes(asked.url),
        headers: headersFor(asked, issuer),
        remoteAddress: asked.address,
        ...(hasBody && { payload: Buffer.from(asked.body) }),
      });
      return toMessageAnswer(answer);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function createAnswerer(settings: ProviderSettings, deps: OAuthDeps): Answerer {
  const provider = createProvider(settings, deps);
  const consent = createConsent(provider, settings, deps);
  const callback = provider.callback();
  return (asked) => (request, response) => {
    if (!asked.url.startsWith(`${CONSENT_PATH}/`)) return void callback(request, response);
    const body = Buffer.from(asked.body).toString('utf8');
    consent({ request, response, body }).catch((error: unknown) => {
      deps.context.log.error({ err: error }, 'the question for consent could not be shown; the person sees an error');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
}

const NOT_OURS = /^(?:x-forwarded-.*|forwarded|host|content-length|transfer-encoding|connection)$/i;

/** The public address is ours, whatever the request says, so that nobody can make the server name another one. */
function headersFor({ headers }: OAuthRequest, { host, protocol }: URL): Record<string, string> {
  const own = headers.filter(({ name }) => !NOT_OURS.test(name));
  const given = Object.fromEntries(own.map(({ name, value }) => [name.toLowerCase(), value]));
  // The library has a session of its own. It would bring an earlier person of this browser into the question.
  const cookie = withoutSession(given['cookie']);
  return { ...given, cookie, host, 'x-forwarded-proto': protocol.replace(':', '') };
}

const withoutSession = (cookies = ''): string =>
  cookies
    .split('; ')
    .filter((cookie) => !/^_session(\.legacy)?(\.sig)?=/.test(cookie))
    .join('; ');

/** Clients also ask for scopes of OpenID Connect, which mean nothing here. Without a scope, both are asked for. */
function withScopes(url: string): string {
  if (!url.startsWith(AUTHORIZE)) return url;
  const query = new URLSearchParams(url.slice(AUTHORIZE.length));
  const given = query.getAll('scope');
  if (given.length > 1) return url;
  const asked = SCOPES.filter((scope) => given.join(' ').split(' ').includes(scope));
  query.set('scope', (asked.length > 0 ? asked : SCOPES).join(' '));
  return `${AUTHORIZE}${query.toString()}`;
}

function toMessageAnswer({ statusCode: status, headers, rawPayload: body }: Response): OAuthAnswer {
  const named = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [{ name, value: String(one) }])),
  );
  return { status, headers: named, body };
}

function tooMany(waitS: number): OAuthAnswer {
  const description = `There were too many registrations from this address; try again in ${waitS} seconds.`;
  const error = { error: 'temporarily_unavailable', error_description: description };
  const headers = [
    { name: 'content-type', value: 'application/json; charset=utf-8' },
    { name: 'retry-after', value: String(waitS) },
    { name: 'cache-control', value: 'no-store' },
  ];
  return { status: 429, headers, body: Buffer.from(JSON.stringify(error)) };
}
