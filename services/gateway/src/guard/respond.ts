import { ApiError, toApiError } from '@postroom/errors/api-error';
import { timeLimits } from '@postroom/runtime/time-limits';
import { answerFor, json, renderError, type Answer } from '../response/answer.ts';
import type { Route } from '../routes/table.ts';
import { chain } from './chain.ts';
import { callerOf, isRoute, type Exchange, type Gateway } from './exchange.ts';
import { orNotBegun, refuseLate } from './not-begun.ts';

export type { Endpoint, Exchange, Gateway, Intake } from './exchange.ts';

/** A request that has just arrived: the guards find out the rest. */
export function openExchange(
  arrival: Pick<Exchange, 'request' | 'response' | 'endpoint' | 'params'>,
  { context: { clock, ids } }: Gateway,
): Exchange {
  return {
    ...arrival,
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

/** Takes one request through the guards and its route. Whatever happens on the way, an answer comes out. */
export async function respond(exchange: Exchange, gateway: Gateway): Promise<Answer> {
  const { log } = gateway.context;
  let answer: Answer;
  try {
    answer = (await passGuards(exchange, gateway)) ?? (await callRoute(exchange, gateway));
  } catch (thrown) {
    answer = answerFor(orNotBegun(thrown, exchange), log, exchange.requestId);
  }
  for (const settle of exchange.afterwards.reverse()) {
    try {
      answer = await settle(answer);
    } catch (error) {
      // The work is done: what could not be noted of it must not turn its answer into a failure.
      log.error({ err: error, requestId: exchange.requestId }, 'could not settle a request');
    }
  }
  return answer;
}

/** The answer for a caller whose time is over while its request is still under way. */
export function answerLate(exchange: Exchange): Answer {
  return renderError(toApiError(orNotBegun(new ApiError('QUERY_TIMEOUT'), exchange)));
}

async function passGuards(exchange: Exchange, gateway: Gateway): Promise<Answer | undefined> {
  for (const guard of chain) {
    const outcome = guard(exchange, gateway);
    const answer = outcome instanceof Promise ? await outcome : outcome;
    if (answer) return answer;
  }
  return undefined;
}

async function callRoute(exchange: Exchange, gateway: Gateway): Promise<Answer> {
  const { endpoint, validated } = exchange;
  if (!isRoute(endpoint)) throw new ApiError('NOT_FOUND');
  if (!validated || !('input' in validated)) throw new Error('the validation comes before the call');
  const { workspaceId, maySend, planIsPaid } = callerOf(exchange);
  const { requestId, deadline, traceparent } = exchange;
  const operationId = exchange.operationId ?? (endpoint.method === 'POST' ? gateway.context.ids('op') : undefined);
  const context = { workspaceId, requestId, operationId, deadline, traceparent, maySend, planIsPaid };
  const call = () => {
    refuseLate(exchange, gateway.context.clock.now());
    exchange.isBegun = true;
    return endpoint.call(validated.input, gateway.services, context);
  };
  const owner = endpoint.waitsFor ? `${workspaceId} ${endpoint.waitsFor(validated.input.body)}` : workspaceId;
  return toAnswer(endpoint, await gateway.calls.run(owner, call));
}

function toAnswer({ reply: { status }, units }: Route, reply: unknown): Answer {
  if (status === 204) return { status };
  if (Buffer.isBuffer(reply)) return { status, body: reply };
  const answer = json(status, reply);
  return units ? { ...answer, units: units.used(reply) } : answer;
}
