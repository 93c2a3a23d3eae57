import type { IncomingMessage, ServerResponse } from 'node:http';
import { toApiError } from '@postroom/errors/api-error';
import { readBytes } from '@postroom/http/read-bytes';
import type { OAuthHeader } from '@postroom/proto/postroom/v1/identity';
import { clientAddress } from '@postroom/runtime/client-address';
import { timeLimits } from '@postroom/runtime/time-limits';
import { sendError } from './send.ts';
import type { RouteDeps } from './serve-route.ts';

/** The paths of the authorization server, whose issuer is the address of the app. */
export const OAUTH_PATHS = ['/oauth/{*path}', '/.well-known/oauth-authorization-server'] as const;

const MOST_BYTES = 65_536;

/** Hands a request to identity as it came. Identity decides what it may do: clients of any origin call it. */
export async function forwardOAuth(
  request: IncomingMessage,
  response: ServerResponse,
  { services, proxies, observe, context }: RouteDeps,
): Promise<void> {
  const startedAt = performance.now();
  const requestId = context.ids('req');
  response.setHeader('X-Request-Id', requestId);
  try {
    const asked = {
      method: request.method ?? 'GET',
      url: request.url ?? '',
      headers: headersOf(request),
      body: await readBytes(request, MOST_BYTES),
      address: clientAddress(request, proxies),
    };
    const deadline = context.clock.now() + timeLimits.requestMs;
    const { status, headers, body } = await services.identity.answerOAuth(asked, { requestId, deadline });
    for (const { name, value } of headers)
      if (!/^(connection|keep-alive|content-length|transfer-encoding|date)$/i.test(name))
        response.appendHeader(name, value);
    response.writeHead(status, { 'Content-Length': body.length });
    response.end(body);
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.code === 'INTERNAL_ERROR')
      context.log.error({ err: error.cause ?? error, requestId }, 'unexpected failure');
    if (response.headersSent) response.destroy();
    else sendError(response, error);
  }
  const method = request.method === 'POST' ? 'POST' : 'GET';
  observe({ route: '/oauth/*', method, sentMethod: request.method, requestId }, response.statusCode, startedAt);
}

function headersOf({ headers }: IncomingMessage): OAuthHeader[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [{ name, value: one }])),
  );
}
