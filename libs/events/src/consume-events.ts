import { isUnavailable, isHanging, pauseWhileUnavailable } from '@postroom/errors/unavailable';
import type { Clock } from '@postroom/runtime/clock';
import type { Lifecycle } from '@postroom/runtime/lifecycle';
import {
  type Bus,
  type BusMessage,
  type Consumer,
  type DeadLetters,
  RetryLater,
  type Subscription,
  type Work,
} from './bus.ts';
import { decodeEvent, type EventOf } from './event.ts';
import type { EventType, GroupOf } from './event-table.ts';

export interface EventConsumer<T extends EventType> extends Pick<
  Subscription,
  'concurrency' | 'retry' | 'timeLimitMs'
> {
  type: T;
  group: GroupOf<T>;
  deadLetters: DeadLetters;
  /**
   * Called again after an error; after the last attempt the event is stored as a dead letter. An event may arrive twice, so
   * its effects need an idempotency key. While a dependency is unavailable the event keeps its position and no attempt
   * is counted: the error of a call shows that a service or the database is unavailable; in other cases the handler
   * throws `RetryLater`. While a peer answers nobody the event waits, too, but not forever: the event may be the cause.
   */
  handle: (event: EventOf<T>, work: Work) => Promise<void>;
  /** A finer key than the mailbox, such as the email. It allows more parallel work. */
  orderBy?: (event: EventOf<T>) => string;
}

const WHILE_HANGING_MS = 5_000;
/** After this time a call without an answer counts as an attempt. When other callers get answers, it does at once. */
const LONGEST_HANGING_MS = 60 * 60_000;

interface Context {
  clock: Pick<Clock, 'now'>;
}

/** A consumer of one type of event, until the service closes. */
export async function consumeEvents<T extends EventType>(
  bus: Pick<Bus, 'subscribe'>,
  { lifecycle, clock }: Context & { lifecycle: Pick<Lifecycle, 'add'> },
  options: EventConsumer<T>,
): Promise<Consumer> {
  const consumer = await openEventConsumer(bus, { clock }, options);
  lifecycle.add(`consumer of ${options.type}`, () => consumer.close());
  return consumer;
}

/** A consumer of one type of event, which the caller closes. An event that cannot be read is a dead letter at once. */
export function openEventConsumer<T extends EventType>(
  bus: Pick<Bus, 'subscribe'>,
  { clock }: Context,
  { type, handle, orderBy, ...subscription }: EventConsumer<T>,
): Promise<Consumer> {
  const read = readOnce(type);
  const waitOrThrow = createWaiting(clock);
  return bus.subscribe({
    ...subscription,
    topic: type,
    ownerOf: (message) => read(message).workspaceId,
    onMessage: (message, work) => handle(read(message), work).catch((error: unknown) => waitOrThrow(message, error)),
    ...(orderBy && { orderBy: (message) => orderBy(read(message)) }),
  });
}

/** Decodes a message once, although its owner, its order key and its handler all need the event. */
function readOnce<T extends EventType>(type: T): (message: BusMessage) => EventOf<T> {
  const known = new WeakMap<BusMessage, EventOf<T>>();
  return (message) => {
    const found = known.get(message);
    if (found) return found;
    const event = decodeEvent(type, message);
    known.set(message, event);
    return event;
  };
}

/** Decides whether an error makes its message wait (`RetryLater`) or counts as a failed attempt (the error itself). */
function createWaiting(clock: Pick<Clock, 'now'>): (message: BusMessage, error: unknown) => never {
  const unavailableSince = new WeakMap<BusMessage, number>();
  const hangingSince = new WeakMap<BusMessage, number>();
  const lasts = (since: WeakMap<BusMessage, number>, message: BusMessage): number => {
    const first = since.get(message) ?? clock.now();
    since.set(message, first);
    return clock.now() - first;
  };
  return (message, error) => {
    if (isUnavailable(error)) throw new RetryLater(pauseWhileUnavailable(lasts(unavailableSince, message)), error);
    if (!isHanging(error)) throw error;
    throw lasts(hangingSince, message) < LONGEST_HANGING_MS ? new RetryLater(WHILE_HANGING_MS, error) : error;
  };
}
