import type { IncomingMessage } from 'node:http';
import { ApiError } from '@postroom/errors/api-error';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { AnswerPublicPage } from './answer-public-page.ts';
import type { Page } from '../openapi/pages.ts';
import { errorAnswer } from '../response/answer.ts';
import type { Route } from '../routes/table.ts';
import type { Listener } from './connection/pipelining.ts';
import type { ServeRequest } from './serve-request.ts';

const BASE_PATH = '/api/v1';

interface Deps {
  routes: readonly Route[];
  isMcpCalling: (request: IncomingMessage) => boolean;
  /** The routes without a key. */
  pages: readonly Page[];
  serve: ServeRequest;
  /** For what needs no key. */
  answerPublicPage: AnswerPublicPage;
}

export interface App {
  express: Express;
  listener: Listener;
}

/** The Express application, set up so that every answer it gives is ours. */
export function createApp({ routes, isMcpCalling, pages, serve, answerPublicPage }: Deps): App {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const missing = createMissing(serve, answerPublicPage);

  for (const route of routes) {
    const verb = route.method.toLowerCase() as Lowercase<Route['method']>;
    app[verb](`${BASE_PATH}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, (request, response, next) => {
      // Express would answer HEAD by the route of GET, and the contract has no HEAD.
      if (request.method !== route.method) return next();
      if (route.forMcp && !isMcpCalling(request)) return next();
      void serve(request, response, route, request.params as Record<string, string>);
    });
  }
  for (const page of pages) {
    app.get(page.path, (request, response, next) => {
      if (request.method === 'GET') answerPublicPage(request, response, page);
      else next();
    });
  }
  app.use((request, response) => missing(request, response));
  // Express calls this for a path with invalid escapes, which is no path of ours either.
  app.use((_error: unknown, request: Request, response: Response, _next: NextFunction) => missing(request, response));
  // Without a last word of our own Express would answer in HTML.
  return {
    express: app,
    listener: (request, response) => app(request as Request, response as Response, () => missing(request, response)),
  };
}

/** Under the base path a key comes first, so that strangers cannot tell which paths exist; elsewhere there is nothing. */
function createMissing(serve: ServeRequest, answerPublicPage: AnswerPublicPage): Listener {
  const nothing: Page = { path: 'unknown', answer: () => errorAnswer(new ApiError('NOT_FOUND')) };
  return (request, response) => {
    const path = pathOf(request);
    if (path === BASE_PATH || path.startsWith(`${BASE_PATH}/`)) {
      void serve(request, response, { path: 'unknown' }, {});
    } else {
      answerPublicPage(request, response, nothing);
    }
  };
}

function pathOf(request: IncomingMessage): string {
  const { originalUrl, url } = request as IncomingMessage & { originalUrl?: string };
  // A proxy may send the whole address.
  return (originalUrl ?? url ?? '').replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? '';
}
