import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { openHttpPort } from '@postroom/http/http-port';
import type { ServiceContext } from '@postroom/runtime/service';
import type { GatewayClient } from '../gateway/gateway-client.ts';
import { authInfoOf } from '../protocol/protocol.ts';
import { admit, missingScope } from './admit.ts';
import { type HttpRefusal, refuseRequest } from './challenge.ts';
import { resourceMetadata } from './metadata.ts';
import { readMessage } from './read-message.ts';

interface HttpSettings {
  HOST: string;
  HTTP_PORT: number;
  MCP_URL: string;
  OAUTH_ISSUER?: string | undefined;
  TRUSTED_PROXIES: number;
  MAX_IN_FLIGHT: number;
}

interface HttpDeps {
  context: ServiceContext;
  gateway: GatewayClient;
  protocol: McpHttpHandler;
  silentMs?: number;
}

const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than load balancers keep an idle connection, so that it is they who close it.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** Longer than a call that waits for changes is silent. A client that does not read its answer for so long is cut off. */
const SILENT_MS = 70_000;

/** Listens for clients of the protocol, and for those who look for the metadata. */
export async function openHttpServer(settings: HttpSettings, deps: HttpDeps): Promise<number> {
  const { context, silentMs = SILENT_MS } = deps;
  const serve = createServe(settings, deps);
  let inFlight = 0;
  context.metrics.gauge('http_requests_in_flight', 'Requests that are being answered.', () => inFlight);
  const server = createServer(LIMITS, (request, response) => {
    if (inFlight >= settings.MAX_IN_FLIGHT) return refuseRequest(response, BUSY);
    inFlight++;
    response.once('close', () => inFlight--);
    serve(request, response).catch((error: unknown) => {
      context.log.error({ err: error }, 'a request was not answered; its client may ask again');
      if (response.headersSent) response.destroy();
      else refuseRequest(response, BUSY);
    });
  });
  server.timeout = silentMs;
  return openHttpPort(server, settings.HOST, settings.HTTP_PORT, context);
}

const BUSY: HttpRefusal = {
  status: 503,
  headers: { 'Retry-After': '1' },
  body: { code: 'INTERNAL_ERROR', error: 'Too busy just now; try again.' },
};
const NOTHING: HttpRefusal = {
  status: 404,
  body: { code: 'NOT_FOUND', error: 'There is nothing here; the server is at /mcp.' },
};
const FOREIGN: HttpRefusal = {
  status: 403,
  body: { code: 'REQUEST_ERROR', error: 'Requests of other web pages are refused; connect from a program.' },
};
const FAULTS = {
  'too large': { status: 413, message: 'The request is too large.' },
  'too deep': { status: 400, message: 'The request nests too many levels.' },
  'not JSON': { status: 400, message: 'The request is not JSON.' },
} as const;
const faultOf = (fault: keyof typeof FAULTS): HttpRefusal => {
  const { status, message } = FAULTS[fault];
  return { status, body: { jsonrpc: '2.0', id: null, error: { code: -32700, message } } };
};

function createServe(settings: HttpSettings, { context, gateway, protocol }: HttpDeps) {
  const metadata = resourceMetadata(settings);
  const { origin, pathname } = new URL(settings.MCP_URL);
  const speak = toNodeHandler(protocol, {
    onerror: (error) => context.log.warn({ err: error }, 'a request failed; its client may ask again'),
  });

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (metadata.paths.has(path) && request.method === 'GET') {
      return refuseRequest(response, {
        status: 200,
        headers: { 'Cache-Control': 'public, max-age=300' },
        body: metadata.document,
      });
    }
    if (path !== pathname) return refuseRequest(response, NOTHING);
    // ClientCredentials are never sent by a browser on its own, and no page but ours has a reason to send them.
    if (request.headers.origin !== undefined && request.headers.origin !== origin)
      return refuseRequest(response, FOREIGN);
    const admission = await admit(request, gateway, { metadataUrl: metadata.url, proxies: settings.TRUSTED_PROXIES });
    if ('refusal' in admission) return refuseRequest(response, admission.refusal);
    Object.assign(request, { auth: authInfoOf(admission) });
    if (request.method !== 'POST') return speak(request, response);

    const body = await readMessage(request);
    if ('fault' in body) {
      if (body.fault !== 'gone') refuseRequest(response, faultOf(body.fault));
      return;
    }
    const refusal = missingScope(body.json, admission.rights, metadata.url);
    if (refusal) return refuseRequest(response, refusal);
    return speak(request, response, body.json);
  };
}
