import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Observe } from '@postroom/http/observe';
import type { Page } from '../openapi/pages.ts';
import type { Send } from './send.ts';

/** Serves what is for everyone: no key, no limit, and the same frame around it as around every other answer. */
export type AnswerPublicPage = (request: IncomingMessage, response: ServerResponse, page: Page) => void;

interface Deps {
  context: ServiceContext;
  send: Send;
  observe: Observe;
}

export function createAnswerPublicPage({ context, send, observe }: Deps): AnswerPublicPage {
  return (request, response, page) => {
    const startedAt = performance.now();
    const requestId = context.ids('req');
    const answer = page.answer();
    send({ request, response, requestId }, answer);
    const method = page.path === 'unknown' ? 'other' : 'GET';
    observe({ route: page.path, method, sentMethod: request.method, requestId }, answer.status, startedAt);
  };
}
