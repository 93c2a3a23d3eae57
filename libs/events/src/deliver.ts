import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { type BusMessage, NoMoreAttempts, RetryLater, type RetryPolicy, type Subscription, type Work } from './bus.ts';
import { givenUpMessage, replaysOf } from './dead-letter.ts';
import type { Rest } from '@postroom/runtime/keyed-queue';

const defaultRetry: RetryPolicy = { attempts: 5, firstDelayMs: 200, maxDelayMs: 10_000 };
const DEFAULT_TIME_LIMIT_MS = 120_000;

export interface DeliveryDeps {
  clock: Clock;
  log: Log;
  /** `leaving` ends the waiting between attempts, `lost` aborts the handler: see the stopper. */
  stop: { leaving: AbortSignal; lost: AbortSignal };
  heartbeat: () => Promise<void>;
  /** A message that waits holds no slot. */
  rest: Rest;
}

/**
 * Delivers one message until it is handled or has become a dead letter after too many failures. It resolves only then,
 * so later messages of the same key wait: this keeps the order per key, retries included.
 */
async function deliverMessage(message: BusMessage, subscription: Subscription, deps: DeliveryDeps): Promise<void> {
  const policy = { ...defaultRetry, ...subscription.retry };
  let attempt = 1;
  let isWaiting = false;
  for (;;) {
    const failure = await tryOnce(message, subscription, attempt, deps);
    if (!failure) return;
    deps.stop.leaving.throwIfAborted();
    const { cause } = failure;
    const facts = { topic: subscription.topic, group: subscription.group, messageId: message.id, attempt };
    if (cause instanceof RetryLater) {
      if (!isWaiting) deps.log.warn({ ...facts, err: cause }, 'message waits, without an attempt');
      isWaiting = true;
      await pause(cause.retryAfterMs, deps);
      continue;
    }
    isWaiting = false;
    if (attempt >= policy.attempts || cause instanceof NoMoreAttempts) {
      deps.log.error({ ...facts, err: cause }, 'message is a dead letter now');
      const { topic, group, deadLetters } = subscription;
      const givenUpAt = deps.clock.date();
      await deadLetters?.add(givenUpMessage(message, { topic, group, cause, attempts: attempt, givenUpAt }));
      return subscription.onFailure?.('dead letter');
    }
    subscription.onFailure?.('retry');
    deps.log.warn({ ...facts, err: cause }, 'message failed, trying again');
    await pause(delayBefore(attempt, policy), deps);
    attempt += 1;
  }
}

const pause = (ms: number, { rest, clock, stop }: DeliveryDeps): Promise<void> =>
  rest(() => clock.sleep(ms, stop.leaving));

const AGAIN_MS = 1_000;

/** Like `deliver`, but when even the dead letter cannot be written, it tries again until the consumer leaves. */
export async function deliverToEnd(message: BusMessage, subscription: Subscription, deps: DeliveryDeps): Promise<void> {
  for (;;) {
    try {
      return await deliverMessage(message, subscription, deps);
    } catch (error) {
      deps.stop.leaving.throwIfAborted();
      deps.log.error(
        { topic: subscription.topic, err: error },
        'dead letter not stored; the message is delivered again',
      );
      await pause(AGAIN_MS, deps);
    }
  }
}

interface Ordered {
  /** Messages with the same key are delivered one after the other. */
  key: string;
  /** The levels of the round-robin order: the workspace when it is known, then the message key. */
  owners: readonly string[];
  subscription: Subscription;
}

/**
 * When `orderBy` or `ownerOf` throws, only that message is affected. It keeps the order of its message key, and each
 * attempt calls `orderBy` again first, so that the error counts as a failed attempt.
 */
export function orderedDelivery(message: BusMessage, subscription: Subscription): Ordered {
  const { orderBy, ownerOf, onMessage } = subscription;
  try {
    const owners = ownerOf ? [ownerOf(message), message.key] : [message.key];
    return { key: orderBy?.(message) ?? message.key, owners, subscription };
  } catch {
    const asking: Subscription['onMessage'] = (again, work) => {
      orderBy?.(again);
      return onMessage(again, work);
    };
    return { key: message.key, owners: [message.key], subscription: { ...subscription, onMessage: asking } };
  }
}

/** Doubles from the first delay to the longest. No jitter: order per key already keeps the retries of a key apart. */
function delayBefore(attempt: number, policy: RetryPolicy): number {
  return Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1));
}

type Failure = { cause: unknown } | undefined;

/**
 * One promise and one plain timer for each attempt, and a signal only when it is asked for: most handlers are done in
 * less time than anything more takes. A handler that ignores its signal is let go when the time is over, because its
 * key must not stand still for ever.
 */
function tryOnce(
  message: BusMessage,
  { onMessage, timeLimitMs = DEFAULT_TIME_LIMIT_MS }: Subscription,
  attempt: number,
  { heartbeat, stop }: DeliveryDeps,
): Promise<Failure> {
  return new Promise<Failure>((resolve) => {
    const work = new Attempt({ attempt, replays: replaysOf(message), heartbeat }, stop.lost);
    const end = (failure?: Failure): void => {
      clearTimeout(timer);
      work.release();
      resolve(failure);
    };
    const timer = setTimeout(() => {
      const tooLong = new Error(`the handler took longer than ${timeLimitMs} ms`);
      work.abort(tooLong);
      end({ cause: tooLong });
    }, timeLimitMs);
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

/** The `Work` that a handler receives. It is a class because a new getter for every message is expensive. */
class Attempt implements Work {
  readonly attempt: number;
  readonly replays: number;
  readonly heartbeat: () => Promise<void>;
  readonly #followed: AbortSignal;
  #own: AbortController | undefined;
  #reason: Error | undefined;
  #follow: (() => void) | undefined;

  constructor({ attempt, replays, heartbeat }: Omit<Work, 'signal'>, followed: AbortSignal) {
    this.attempt = attempt;
    this.replays = replays;
    this.heartbeat = heartbeat;
    this.#followed = followed;
  }

  /** Aborted by itself, or with the one it follows. */
  get signal(): AbortSignal {
    if (this.#own) return this.#own.signal;
    const own = (this.#own = new AbortController());
    const followed = this.#followed;
    if (this.#reason || followed.aborted) own.abort(this.#reason ?? followed.reason);
    else followed.addEventListener('abort', (this.#follow = () => own.abort(followed.reason)), { once: true });
    return own.signal;
  }

  abort(why: Error): void {
    this.#reason = why;
    this.#own?.abort(why);
  }

  release(): void {
    if (this.#follow) this.#followed.removeEventListener('abort', this.#follow);
  }
}
