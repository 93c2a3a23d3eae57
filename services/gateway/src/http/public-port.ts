import type { Feature } from '@postroom/contract/lists';
import { createFeed } from '../feed/feed.ts';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { ServiceContext } from '@postroom/runtime/service';
import { createAnswerPublicPage } from './answer-public-page.ts';
import { createApp } from './app.ts';
import type { Gateway } from '../guard/respond.ts';
import { createBodyMemory } from './connection/body-memory.ts';
import { createConnections } from './connection/connections.ts';
import { openHttp } from './server.ts';
import { createObserver } from '@postroom/http/observe';
import { openPages } from '../openapi/pages.ts';
import { createOverload } from './overload.ts';
import { mcpRoutes, openRoutes, type Route } from '../routes/table.ts';
import { createMcpPeer } from './mcp-peer.ts';
import { createSend } from './send.ts';
import { createServeRequest } from './serve-request.ts';

export interface PublicPortSettings {
  HOST: string;
  HTTP_PORT: number;
  TRUSTED_PROXIES: number;
  PUBLIC_URL?: string | undefined;
  FEATURES: readonly Feature[];
  MCP_TOKEN?: string | undefined;
  MCP_URL?: string | undefined;
  MAX_IN_FLIGHT: number;
  MAX_LAG: number;
  MAX_CALLS_PER_WORKSPACE: number;
  MAX_CONNECTIONS: number;
  MAX_BODY_MEMORY: number;
  MAX_UNREAD_ANSWERS: number;
}

/** Opens the port that callers see, with what bounds them, in front of what answers them. */
export async function openPublicPort(
  settings: PublicPortSettings,
  inner: Omit<Gateway, 'context' | 'connections' | 'calls' | 'feed' | 'proxies' | 'mcp'>,
  context: ServiceContext,
  routes: readonly Route[] = openRoutes(settings.FEATURES),
): Promise<number> {
  const { metrics, lifecycle, readiness } = context;
  const overload = createOverload({ maxInFlight: settings.MAX_IN_FLIGHT, maxLagMs: settings.MAX_LAG });
  lifecycle.add('overload watch', () => overload.close());
  const connections = createConnections({ most: settings.MAX_CONNECTIONS, mostBuffered: settings.MAX_UNREAD_ANSWERS });
  const bodies = createBodyMemory(settings.MAX_BODY_MEMORY);
  metrics.gauge('http_requests_in_flight', 'Requests that are being answered.', () => overload.inFlight);
  metrics.gauge('http_connections', 'Connections of callers.', () => connections.size);
  metrics.gauge(
    'http_unread_bytes',
    'Answers that callers have not taken yet, and requests that wait for the one before them.',
    () => connections.buffered,
  );
  metrics.gauge('http_body_bytes', 'What bodies on their way in take.', () => bodies.held);

  const send = createSend(readiness, connections);
  const observe = createObserver(context);
  // The limit per minute bounds how many wait, so nobody is refused here.
  const calls = createFairLimit({ total: Infinity, perOwner: settings.MAX_CALLS_PER_WORKSPACE });
  const feed = createFeed({ changes: inner.services.changes, context });
  const mcp = createMcpPeer(settings.MCP_TOKEN, context);
  const serve = createServeRequest(
    { ...inner, context, connections, calls, feed, mcp, proxies: settings.TRUSTED_PROXIES },
    { bodies, overload, send, observe },
  );
  const answerPublicPage = createAnswerPublicPage({ context, send, observe });
  const app = createApp({
    routes: [...routes, ...mcpRoutes(settings.FEATURES)],
    isMcpCalling: mcp.isCalling,
    pages: openPages(routes, settings.PUBLIC_URL, settings.MCP_URL),
    serve,
    answerPublicPage,
  });
  return openHttp({ app, connections, observe, context }, settings.HOST, settings.HTTP_PORT);
}
