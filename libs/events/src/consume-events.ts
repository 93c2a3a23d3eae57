import { isUnavailable, isHanging } from '@postroom/errors/unavailable';
import type { Clock } from '@postroom/runtime/clock';
import type { Lifecycle } from '@postroom/runtime/lifecycle';
import { type Bus, type BusMessage, type Consumer, RetryLater, type Subscription, type Work } from './bus.ts';
import { decodeEvent, type EventOf } from './event.ts';
import type { EventType, GroupOf } from './event-table.ts';

export interface EventConsumer<T extends EventType> extends Pick<
  Subscription,
  'concurrency' | 'retry' | 'timeLimitMs'
> {
  type: T;
  group: GroupOf<T>;
  /**
   * Called again after an error, and as a dead letter after the last attempt. What it does has to have a key of its own,
   * because an event may come twice. While something that it needs is away the event waits in its place, without an
   * attempt: where a call found no service and no database that is told from the error, else it throws `RetryLater`. While
   * something is there and answers nobody the event waits, too, but not for ever: it may be what nobody can bear.
   */
  handle: (event: EventOf<T>, work: Work) => Promise<void>;
  /** A finer order than the mailbox's, such as the email: more can then go on side by side. */
  orderBy?: (event: EventOf<T>) => string;
}

/** How long an event waits for a service or the database, behind what the call itself has waited. */
const WHILE_AWAY_MS = 1_000;
const WHILE_HANGING_MS = 5_000;
/** From then on an event that had no answer has had an attempt. Where others are answered meanwhile, it has at once. */
const LONGEST_HANGING_MS = 60 * 60_000;

/** A consumer of one type of event, until the service closes. One that cannot be read is a dead letter at once. */
export async function consumeEvents<T extends EventType>(
  bus: Pick<Bus, 'subscribe'>,
  { lifecycle, clock }: { lifecycle: Pick<Lifecycle, 'add'>; clock: Pick<Clock, 'now'> },
  { type, handle, orderBy, ...subscription }: EventConsumer<T>,
): Promise<Consumer> {
  const read = readOnce(type);
  const waitOrThrow = createWaiting(clock);
  const consumer = await bus.subscribe({
    ...subscription,
    topic: type,
    ownerOf: (message) => read(message).workspaceId,
    onMessage: (message, work) => handle(read(message), work).catch((error: unknown) => waitOrThrow(message, error)),
    ...(orderBy && { orderBy: (message) => orderBy(read(message)) }),
  });
  lifecycle.add(`consumer of ${type}`, () => consumer.close());
  return consumer;
}

/** Its order is asked for more than once, and then it is handled. */
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

/** What an error means for the message that met it: that it waits, or that an attempt at it has failed. */
function createWaiting(clock: Pick<Clock, 'now'>): (message: BusMessage, error: unknown) => never {
  const hangingSince = new WeakMap<BusMessage, number>();
  return (message, error) => {
    if (isUnavailable(error)) throw new RetryLater(WHILE_AWAY_MS, error);
    if (!isHanging(error)) throw error;
    const since = hangingSince.get(message) ?? clock.now();
    hangingSince.set(message, since);
    throw clock.now() - since < LONGEST_HANGING_MS ? new RetryLater(WHILE_HANGING_MS, error) : error;
  };
}
