import type { IncomingMessage, ServerResponse } from 'node:http';
import { timeLimits } from '@postroom/runtime/time-limits';
import {
  addressOf,
  answerLate,
  isDiscovery,
  openExchange,
  respond,
  type Endpoint,
  type Exchange,
  type Gateway,
} from '../guard/respond.ts';
import { errorAnswer, tooBusy, type Answer } from '../response/answer.ts';
import type { BodyMemory } from './connection/body-memory.ts';
import { hasBody, receiveBody } from './connection/receive-body.ts';
import type { Observe } from '@postroom/http/observe';
import type { Overload } from './overload.ts';
import type { Send } from './send.ts';

export type ServeRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: Endpoint,
  params: Record<string, string>,
) => Promise<void>;

interface Deps {
  bodies: BodyMemory;
  overload: Overload;
  send: Send;
  observe: Observe;
}

export function createServeRequest(gateway: Gateway, { bodies, overload, send, observe }: Deps): ServeRequest {
  const { tracing } = gateway.context;

  const finish = (exchange: Exchange, answer: Answer, startedAt: number) => {
    const { endpoint, request, response, requestId, caller } = exchange;
    if (response.headersSent) return;
    send(exchange, answer);
    noteCall(exchange, gateway);
    const method = 'method' in endpoint ? endpoint.method : 'other';
    const observed = { route: endpoint.path, method, sentMethod: request.method, requestId };
    observe({ ...observed, workspaceId: caller?.workspaceId }, answer.status, startedAt);
  };

  const answerInTime = async (exchange: Exchange, startedAt: number): Promise<Answer> => {
    const backstop = setTimeout(() => finish(exchange, answerLate(exchange), startedAt), timeLimits.answerMs);
    try {
      return tracing.enabled ? await traced(exchange, gateway) : await respond(exchange, gateway);
    } finally {
      clearTimeout(backstop);
      exchange.intake?.release();
      overload.leave();
    }
  };

  return async (request, response, endpoint, params) => {
    const startedAt = performance.now();
    const exchange = openExchange({ request, response, endpoint, params }, gateway);
    if (!overload.enter('permission' in endpoint && endpoint.permission === 'send'))
      return finish(exchange, errorAnswer(tooBusy()), startedAt);
    if (hasBody(request)) exchange.intake = receiveBody(request, bodies, () => exchange.caller !== undefined);
    const answer = await answerInTime(exchange, startedAt);
    if (!answer.later) return finish(exchange, answer, startedAt);
    if (response.headersSent) return;
    const leftAt = performance.now();
    const last = await answer.later(untilGone(request, response));
    // The time that a client wanted to wait says nothing about the gateway.
    finish(exchange, last, startedAt + performance.now() - leftAt);
  };
}

function noteCall(exchange: Exchange, gateway: Gateway): void {
  const { caller, endpoint, request, verdict } = exchange;
  if (!caller || isDiscovery(exchange)) return;
  gateway.usage.note({
    workspaceId: caller.workspaceId,
    keyId: caller.key.id,
    endpoint: 'method' in endpoint ? `${endpoint.method} ${endpoint.path}` : endpoint.path,
    address: addressOf(request, gateway),
    decision: verdict,
  });
}

/** A client that closes its sending side while it waits is taken for one that is gone. */
function untilGone({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', () => {
    socket.off('end', leave);
    leave();
  });
  socket.once('end', leave);
  if (response.closed || socket.readableEnded) leave();
  return gone.signal;
}

function traced(exchange: Exchange, gateway: Gateway): Promise<Answer> {
  const { request, endpoint, requestId } = exchange;
  const header = request.headers.traceparent;
  const given = typeof header === 'string' ? header : undefined;
  // Callers may join our spans to theirs. We decide how many of them we keep, and the MCP server has decided so already.
  const parent = gateway.mcp.isCalling(request) ? given : gateway.context.tracing.decide(given);
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
