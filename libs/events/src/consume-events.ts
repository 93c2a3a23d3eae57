import { isAway } from '@postroom/errors/away';
import type { Lifecycle } from '@postroom/runtime/lifecycle';
import { type Bus, type BusMessage, type Consumer, NotNow, type Subscription, type Work } from './bus.ts';
import { decodeEvent, type EventOf } from './event.ts';
import type { EventType } from './event-table.ts';

export interface EventConsumer<T extends EventType> extends Pick<
  Subscription,
  'group' | 'concurrency' | 'retry' | 'timeLimitMs'
> {
  type: T;
  /**
   * Called again after an error, and as a dead letter after the last attempt. What it does has to have a key of its own,
   * because an event may come twice. While something that it needs is away the event waits in its place, without an
   * attempt: where a call found no service and no database that is told from the error, else it throws `NotNow`.
   */
  handle: (event: EventOf<T>, work: Work) => Promise<void>;
  /** A finer order than the mailbox's, such as the email: more can then go on side by side. */
  orderBy?: (event: EventOf<T>) => string;
}

/** How long an event waits for a service or the database, behind what the call itself has waited. */
const WHILE_AWAY_MS = 1_000;

/** A consumer of one type of event, until the service closes. One that cannot be read is a dead letter at once. */
export async function consumeEvents<T extends EventType>(
  bus: Pick<Bus, 'subscribe'>,
  { lifecycle }: { lifecycle: Pick<Lifecycle, 'add'> },
  { type, handle, orderBy, ...subscription }: EventConsumer<T>,
): Promise<Consumer> {
  const read = readOnce(type);
  const consumer = await bus.subscribe({
    ...subscription,
    topic: type,
    onMessage: (message, work) => handle(read(message), work).catch(waitWhileAway),
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

function waitWhileAway(error: unknown): never {
  throw isAway(error) ? new NotNow(WHILE_AWAY_MS, error) : error;
}
