import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { type BusMessage, NotNow, type RetryPolicy, type Subscription, type Work } from './bus.ts';

export const defaultRetry: RetryPolicy = { attempts: 5, firstDelayMs: 200, maxDelayMs: 10_000 };
const DEFAULT_TIME_LIMIT_MS = 120_000;

export interface DeliveryTools {
  clock: Clock;
  log: Log;
  /** `leaving` ends the waiting between attempts, `lost` aborts the handler: see the stopper. */
  stop: { leaving: AbortSignal; lost: AbortSignal };
  heartbeat: () => Promise<void>;
  setAside: (message: BusMessage, cause: unknown, attempts: number) => Promise<void>;
}

/**
 * Brings one message to its handler until it is done or has failed often enough to be set aside. It resolves only then,
 * so whatever waits behind it in its lane keeps its place: that is the order per key, retries included.
 */
export async function deliver(message: BusMessage, subscription: Subscription, tools: DeliveryTools): Promise<void> {
  const policy = { ...defaultRetry, ...subscription.retry };
  let attempt = 1;
  for (;;) {
    const failure = await tryOnce(message, subscription, attempt, tools);
    if (!failure) return;
    tools.stop.leaving.throwIfAborted();
    const { cause } = failure;
    if (cause instanceof NotNow) {
      await tools.clock.sleep(cause.retryAfterMs, tools.stop.leaving);
      continue;
    }
    const facts = { topic: subscription.topic, group: subscription.group, messageId: message.id, attempt };
    if (attempt >= policy.attempts) {
      tools.log.error({ ...facts, err: cause }, 'message set aside');
      return tools.setAside(message, cause, attempt);
    }
    tools.log.warn({ ...facts, err: cause }, 'message failed, trying again');
    await tools.clock.sleep(delayBefore(attempt, policy), tools.stop.leaving);
    attempt += 1;
  }
}

/** Doubles from the first delay to the longest. No jitter: order per key already keeps the retries of a key apart. */
export function delayBefore(attempt: number, policy: RetryPolicy): number {
  return Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1));
}

async function tryOnce(
  message: BusMessage,
  subscription: Subscription,
  attempt: number,
  tools: DeliveryTools,
): Promise<{ cause: unknown } | undefined> {
  const own = new AbortController();
  const follow = () => own.abort(tools.stop.lost.reason);
  tools.stop.lost.addEventListener('abort', follow, { once: true });
  const limitMs = subscription.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
  const tooLong = new Error(`the handler took longer than ${limitMs} ms`);
  const ended = new AbortController();
  // The race lets a handler that ignores its signal go: its lane must not stand still for ever.
  const limit = tools.clock.sleep(limitMs, ended.signal).then(() => {
    own.abort(tooLong);
    throw tooLong;
  });
  limit.catch(() => undefined);
  try {
    const work = { attempt, signal: own.signal, heartbeat: tools.heartbeat };
    await Promise.race([callHandler(message, subscription, work), limit]);
    return undefined;
  } catch (cause) {
    return { cause };
  } finally {
    ended.abort();
    tools.stop.lost.removeEventListener('abort', follow);
  }
}

/** As a promise also when the handler throws before its first await. */
async function callHandler(message: BusMessage, subscription: Subscription, work: Work): Promise<void> {
  await subscription.onMessage(message, work);
}
