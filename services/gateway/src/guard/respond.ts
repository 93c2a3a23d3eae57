import { ApiError, toApiError } from '@postroom/errors/api-error';
import { timeLimits } from '@postroom/runtime/time-limits';
import { answerFor, errorAnswer, type Answer } from '../response/answer.ts';
import type { RouteContext } from '../routes/table.ts';
import { answerLater, isLater } from './answer-later.ts';
import { toAnswer, withPermit } from './call-route.ts';
import { chain } from './chain.ts';
import { isRoute, type Exchange, type Gateway } from './exchange.ts';
import { asNotBegunError, refuseLate } from './not-begun-error.ts';

export { addressOf, isDiscovery } from './exchange.ts';
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

/** Takes one request through the guards and its route. Every error becomes an answer. */
export async function respond(exchange: Exchange, gateway: Gateway): Promise<Answer> {
  const { log } = gateway.context;
  let answer: Answer;
  try {
    answer = (await passGuards(exchange, gateway)) ?? (await callRoute(exchange, gateway));
  } catch (thrown) {
    answer = answerFor(asNotBegunError(thrown, exchange), log, exchange.requestId);
  }
  for (const afterward of exchange.afterwards.reverse()) {
    try {
      answer = await afterward(answer);
    } catch (error) {
      // The work is done: a failure to record it must not turn its answer into an error.
      log.error(
        { err: error, requestId: exchange.requestId },
        'a step after the route failed; the answer is sent as it is',
      );
    }
  }
  return answer;
}

/** The answer for a caller whose time is over while its request is still under way. */
export function answerLate(exchange: Exchange): Answer {
  return errorAnswer(toApiError(asNotBegunError(new ApiError('QUERY_TIMEOUT'), exchange)));
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
  const { input } = validated;
  const call = async (context: RouteContext) => {
    refuseLate(exchange, gateway.context.clock.now());
    exchange.isBegun = true;
    return endpoint.call(input, gateway.services, context);
  };
  const reply = await withPermit(exchange, endpoint, gateway, call);
  return isLater(reply) ? answerLater(exchange, endpoint, gateway, reply) : toAnswer(endpoint, reply);
}
