import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@postroom/errors/api-error';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { write } from './answer.ts';
import type { Gateway } from './exchange.ts';
import type { Page } from './openapi/pages.ts';
import { renderError } from './render-error.ts';
import type { Route } from './route.ts';
import type { ServeRequest } from './serve-request.ts';

export const BASE_PATH = '/api/v1';

interface Deps {
  gateway: Gateway;
  routes: readonly Route[];
  /** What is served without a key. */
  pages: readonly Page[];
  serve: ServeRequest;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface App {
  express: Express;
  listener: Listener;
}

/** The Express application, set up so that every answer it gives is ours. */
export function createApp({ gateway, routes, pages, serve }: Deps): App {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const missing = createMissing(gateway, serve);

  for (const route of routes) {
    const verb = route.method.toLowerCase() as Lowercase<Route['method']>;
    app[verb](`${BASE_PATH}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, (request, response, next) => {
      // Express would answer HEAD by the route of GET, and the contract has no HEAD.
      if (request.method !== route.method) return next();
      void serve(request, response, route, request.params as Record<string, string>);
    });
  }
  for (const page of pages) {
    app.get(page.path, (request, response, next) => {
      if (request.method === 'GET') page.serve(request, response);
      else next();
    });
  }
  app.use((request, response) => missing(request, response));
  // Express comes here with a path whose escapes it cannot decode: that is no path of ours either.
  app.use((_error: unknown, request: Request, response: Response, _next: NextFunction) => missing(request, response));
  // Without a last word of our own Express would answer in HTML.
  return {
    express: app,
    listener: (request, response) => app(request as Request, response as Response, () => missing(request, response)),
  };
}

/** Under the base path a key comes first, so that strangers cannot tell which paths exist; elsewhere there is nothing. */
function createMissing({ context }: Gateway, serve: ServeRequest): Listener {
  return (request, response) => {
    const path = pathOf(request);
    if (path === BASE_PATH || path.startsWith(`${BASE_PATH}/`)) {
      void serve(request, response, { path: 'unknown' }, {});
    } else {
      write(response, renderError(new ApiError('NOT_FOUND')), { requestId: context.ids('req') });
    }
  };
}

function pathOf(request: IncomingMessage): string {
  const { originalUrl, url } = request as IncomingMessage & { originalUrl?: string };
  // A proxy may send the whole address.
  return (originalUrl ?? url ?? '').replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? '';
}
