import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, toApiError } from '@postroom/errors/api-error';
import { timeLimits } from '@postroom/runtime/time-limits';
import type { Answer } from './answer.ts';
import { isRoute, type Endpoint, type Exchange, type Gateway } from './exchange.ts';
import { hasBody, openIntake } from './http/intake.ts';
import { orNotBegun } from './not-begun.ts';
import type { Observe } from './observe.ts';
import type { Overload } from './overload.ts';
import { renderError } from './render-error.ts';
import { respond } from './respond.ts';
import type { Send } from './send.ts';
import { tooBusy } from './too-busy.ts';

export type ServeRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: Endpoint,
  params: Record<string, string>,
) => Promise<void>;

interface Deps {
  overload: Overload;
  send: Send;
  observe: Observe;
}

export function createServeRequest(gateway: Gateway, { overload, send, observe }: Deps): ServeRequest {
  const { tracing } = gateway.context;

  const finish = (exchange: Exchange, answer: Answer, startedAt: number) => {
    const { endpoint, request, response, requestId, caller } = exchange;
    if (response.headersSent) return;
    send(exchange, answer);
    const method = isRoute(endpoint) ? endpoint.method : 'other';
    const observed = { route: endpoint.path, method, sentMethod: request.method, requestId };
    observe({ ...observed, workspaceId: caller?.workspaceId }, answer.status, startedAt);
  };

  return async (request, response, endpoint, params) => {
    const startedAt = performance.now();
    const exchange = openExchange(request, response, endpoint, params, gateway);
    if (!overload.enter(endpoint)) return finish(exchange, renderError(tooBusy()), startedAt);
    if (hasBody(request)) exchange.intake = openIntake(request, gateway.bodies, () => exchange.caller !== undefined);
    const backstop = setTimeout(
      () => finish(exchange, renderError(toApiError(orNotBegun(tooLate(), exchange))), startedAt),
      timeLimits.answerMs,
    );
    try {
      const answer = tracing.enabled ? await traced(exchange, gateway) : await respond(exchange, gateway);
      finish(exchange, answer, startedAt);
    } finally {
      clearTimeout(backstop);
      exchange.intake?.release();
      overload.leave();
    }
  };
}

const tooLate = () => new ApiError('QUERY_TIMEOUT');

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
    intake: undefined,
    body: undefined,
    unreadable: undefined,
    validated: undefined,
    operationId: undefined,
    mayHaveRun: false,
    isBegun: false,
    afterwards: [],
  };
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
