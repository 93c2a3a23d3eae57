import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openHttpPort } from '@postroom/http/http-port';
import { createObserver } from '@postroom/http/observe';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { ServePage } from '../pages/pages.ts';
import type { AppRoute } from '../routes/table.ts';
import { forwardOAuth, OAUTH_PATHS } from './forward-oauth.ts';
import { originsOf } from './same-origin.ts';
import { serveRoute, UNKNOWN, type RouteDeps } from './serve-route.ts';
import { createRecentAnswers } from './recent-answers.ts';
import { createCallLimits } from './call-limits.ts';
import { createSessionCookie } from './session-cookie.ts';

const API = '/app/api';

/** The memory for files and frames, beside the heap. */
const LARGE_ANSWERS = 96 * 1024 * 1024;

const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 9_500,
  requestTimeout: 15_000,
  // Longer than load balancers keep an idle connection, so that it is they who close it.
  keepAliveTimeout: 65_000,
} as const;

interface AppDeps extends RouteDeps {
  servePage: ServePage;
}

interface Given extends Omit<AppDeps, 'cookie' | 'origins' | 'observe' | 'callLimits' | 'memory' | 'recent'> {
  routes: readonly AppRoute[];
  host: string;
  port: number;
}

/** Opens the port of the pages and of their calls. */
export function openApp({ routes, host, port, ...given }: Given): Promise<number> {
  const { appUrl, context } = given;
  const deps = {
    ...given,
    cookie: createSessionCookie(appUrl.startsWith('https:')),
    origins: originsOf(appUrl),
    observe: createObserver(context),
    callLimits: createCallLimits(),
    memory: createBytesInFlight(LARGE_ANSWERS),
    recent: createRecentAnswers(context.clock),
  };
  return openHttpPort(createServer(limits, createApp(routes, deps)), host, port, context);
}

function createApp(routes: readonly AppRoute[], deps: AppDeps) {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const route of routes) {
    const verb = route.method.toLowerCase() as Lowercase<AppRoute['method']>;
    app[verb](`${API}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, (request, response, next) => {
      // Express would answer HEAD by the route of GET.
      if (request.method !== route.method) return next();
      void serveRoute(route, request, response, request.params as Record<string, string>, deps);
    });
  }
  const unknown = (request: IncomingMessage, response: ServerResponse) =>
    void serveRoute(UNKNOWN, request, response, {}, deps);
  app.use(API, unknown);
  app.all([...OAUTH_PATHS], (request, response) => void forwardOAuth(request, response, deps));
  app.get('/app', (_request, response) => response.redirect(308, '/app/'));
  app.get('/', (_request, response) => response.redirect(302, '/app/'));
  app.get('/app/{*path}', (request, response) => servePage(request, response, deps));
  app.use(unknown);
  // Express calls this for a path with invalid escapes, which is no path of ours either.
  app.use((_error: unknown, request: Request, response: Response, _next: NextFunction) => unknown(request, response));
  return app;
}

function servePage(request: Request, response: Response, { servePage: serve, observe, context }: AppDeps): void {
  const startedAt = performance.now();
  const requestId = context.ids('req');
  response.setHeader('X-Request-Id', requestId);
  serve(request.path.slice('/app'.length), request, response);
  observe({ route: '/app/*', method: 'GET', sentMethod: request.method, requestId }, response.statusCode, startedAt);
}
