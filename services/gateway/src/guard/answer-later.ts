import { timeLimits } from '@postroom/runtime/time-limits';
import { answerFor, type Answer, type EventStream } from '../response/answer.ts';
import type { Later, LaterMeans, Route } from '../routes/table.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { toAnswer, withPermit } from './call-route.ts';
import type { Exchange, Gateway } from './exchange.ts';
import { refuseSuspended } from './refuse-suspended.ts';

export function isLater(reply: unknown): reply is Later<unknown> {
  return typeof reply === 'object' && reply !== null && 'later' in reply;
}

/** The answer of a call that goes on beyond its request. */
export function answerLater(exchange: Exchange, route: Route, gateway: Gateway, reply: Later<unknown>): Answer {
  const { clock, log } = gateway.context;
  const callAgain: LaterMeans['callAgain'] = async (call) => {
    await admitAgain(exchange, gateway);
    return withPermit(exchange, route, gateway, (context) =>
      call({ ...context, deadline: clock.now() + timeLimits.requestMs }),
    );
  };
  const isStillAllowed = () =>
    admitAgain(exchange, gateway).then(
      () => true,
      () => false,
    );
  return {
    status: route.reply.status,
    later: async (signal) => {
      try {
        const last = await reply.later({ signal, feed: gateway.feed, callAgain, isStillAllowed });
        return isStream(last) ? { ...streaming(route), ...last } : toAnswer(route, last);
      } catch (thrown) {
        return answerFor(thrown, log, exchange.requestId);
      }
    },
  };
}

function isStream(last: unknown): last is EventStream {
  return typeof last === 'object' && last !== null && 'stream' in last;
}

/** Proxies such as nginx would hold an event back until their buffer is full. */
function streaming({ reply: { status, type = '' } }: Route): Answer {
  return { status, type: `${type}; charset=utf-8`, headers: { 'X-Accel-Buffering': 'no' } };
}

/** Throws what the caller would be refused with by now: a key may be revoked while its call waits. */
async function admitAgain(exchange: Exchange, gateway: Gateway): Promise<void> {
  const { verdict } = exchange;
  exchange.verdict = undefined;
  await authenticate(exchange, gateway);
  await refuseSuspended(exchange, gateway);
  exchange.verdict = verdict;
  authorize(exchange);
}
