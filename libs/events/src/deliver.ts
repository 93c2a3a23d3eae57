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

type Failure = { cause: unknown } | undefined;

/**
 * One promise and one plain timer for each attempt, and a signal only when it is asked for: most handlers are done in
 * less time than anything more takes. A handler that ignores its signal is let go when the time is over, because its
 * lane must not stand still for ever.
 */
function tryOnce(
  message: BusMessage,
  { onMessage, timeLimitMs = DEFAULT_TIME_LIMIT_MS }: Subscription,
  attempt: number,
  tools: DeliveryTools,
): Promise<Failure> {
  const signal = lazySignal(tools.stop.lost);
  return new Promise<Failure>((resolve) => {
    const timer = setTimeout(() => {
      const tooLong = new Error(`the handler took longer than ${timeLimitMs} ms`);
      signal.abort(tooLong);
      end({ cause: tooLong });
    }, timeLimitMs);
    const end = (failure?: Failure): void => {
      clearTimeout(timer);
      signal.release();
      resolve(failure);
    };
    const work: Work = {
      attempt,
      heartbeat: tools.heartbeat,
      get signal() {
        return signal.get();
      },
    };
    try {
      onMessage(message, work).then(
        () => end(),
        (cause: unknown) => end({ cause }),
      );
    } catch (cause) {
      // It threw before its first await.
      end({ cause });
    }
  });
}

/** The signal of one attempt: aborted by itself, or with the one it follows. */
function lazySignal(followed: AbortSignal) {
  let own: AbortController | undefined;
  let reason: Error | undefined;
  const follow = () => own?.abort(followed.reason);
  return {
    get: (): AbortSignal => {
      if (own) return own.signal;
      own = new AbortController();
      if (reason || followed.aborted) own.abort(reason ?? followed.reason);
      else followed.addEventListener('abort', follow, { once: true });
      return own.signal;
    },
    abort: (why: Error): void => {
      reason = why;
      own?.abort(why);
    },
    release: (): void => {
      if (own) followed.removeEventListener('abort', follow);
    },
  };
}
