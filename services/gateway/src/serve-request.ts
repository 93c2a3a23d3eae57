import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@postroom/errors/api-error';
import { catalogue } from '@postroom/errors/catalogue';
import { timeLimits } from '@postroom/runtime/time-limits';
import { write, type Answer } from './answer.ts';
import type { Endpoint, Exchange, Gateway } from './exchange.ts';
import { endWhileSending, isStillSending } from './http/linger.ts';
import { isBrokenOff } from './http/receive.ts';
import { createObserver } from './observe.ts';
import type { Overload } from './overload.ts';
import { renderError } from './render-error.ts';
import { respond } from './respond.ts';
import { tooBusy } from './too-busy.ts';

export type ServeRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: Endpoint,
  params: Record<string, string>,
) => Promise<void>;

export function createServeRequest(gateway: Gateway, overload: Overload): ServeRequest {
  const { tracing, readiness } = gateway.context;
  const observe = createObserver(gateway.context);
  let draining = false;
  readiness.onDrain(() => (draining = true));

  const finish = (exchange: Exchange, answer: Answer, startedAt: number) => {
    if (exchange.response.headersSent) return;
    send(exchange, answer, draining);
    observe(exchange, answer.status, startedAt);
  };

  return async (request, response, endpoint, params) => {
    const startedAt = performance.now();
    const exchange = openExchange(request, response, endpoint, params, gateway);
    if (!overload.enter(endpoint)) return finish(exchange, renderError(tooBusy()), startedAt);
    const backstop = setTimeout(
      () => finish(exchange, renderError(new ApiError('QUERY_TIMEOUT')), startedAt),
      timeLimits.answerMs,
    );
    try {
      const answer = tracing.enabled ? await traced(exchange, gateway) : await respond(exchange, gateway);
      finish(exchange, answer, startedAt);
    } finally {
      clearTimeout(backstop);
      overload.leave();
    }
  };
}

function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: Endpoint,
  params: Record<string, string>,
  { context: { clock, ids } }: Gateway,
): Exchange {
  return {
    request,
    response,
    endpoint,
    params,
    requestId: ids('req'),
    deadline: clock.now() + timeLimits.requestMs,
    traceparent: undefined,
    caller: undefined,
    verdict: undefined,
    reserved: 0,
    body: undefined,
    unreadable: undefined,
    validated: undefined,
    operationId: undefined,
    afterwards: [],
  };
}

function send({ request, response, requestId, verdict }: Exchange, answer: Answer, draining: boolean): void {
  const isBroken = isBrokenOff(request.socket);
  const unread = !isBroken && isStillSending(request, answer.status === catalogue.QUERY_TIMEOUT.http);
  write(response, answer, { requestId, verdict, closes: draining || unread || isBroken, stays: unread });
  if (unread) endWhileSending(request, response);
}

function traced(exchange: Exchange, gateway: Gateway): Promise<Answer> {
  const { request, endpoint, requestId } = exchange;
  const header = request.headers.traceparent;
  // Callers may join our spans to theirs; how many of them we keep is ours to say.
  const parent = gateway.context.tracing.decide(typeof header === 'string' ? header : undefined);
  const attributes = {
    'http.request.method': request.method ?? '',
    'http.route': endpoint.path,
    'postroom.request_id': requestId,
  };
  return gateway.context.tracing.withSpan(
    `${request.method} ${endpoint.path}`,
    attributes,
    parent,
    async (span) => {
      exchange.traceparent = span.traceparent;
      const answer = await respond(exchange, gateway);
      span.set('http.response.status_code', answer.status);
      return answer;
    },
    'server',
  );
}
