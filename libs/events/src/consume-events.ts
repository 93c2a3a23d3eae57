import type { Lifecycle } from '@postroom/runtime/lifecycle';
import type { Bus, Consumer, Subscription, Work } from './bus.ts';
import { decodeEvent, type EventOf } from './event.ts';
import type { EventType } from './event-table.ts';

export interface EventConsumer<T extends EventType> extends Pick<
  Subscription,
  'group' | 'concurrency' | 'retry' | 'timeLimitMs'
> {
  type: T;
  /**
   * Called again after an error, and as a dead letter after the last attempt. What it does has to have a key of its own,
   * because an event may come twice. It throws `NotNow` while something that it needs is away: the event waits in its
   * place, without an attempt.
   */
  handle: (event: EventOf<T>, work: Work) => Promise<void>;
  /** A finer order than the mailbox's, such as the email: more can then go on side by side. */
  orderBy?: (event: EventOf<T>) => string;
}

/** A consumer of one type of event, until the service closes. One that cannot be read is a dead letter at once. */
export async function consumeEvents<T extends EventType>(
  bus: Pick<Bus, 'subscribe'>,
  { lifecycle }: { lifecycle: Pick<Lifecycle, 'add'> },
  { type, handle, orderBy, ...subscription }: EventConsumer<T>,
): Promise<Consumer> {
  const consumer = await bus.subscribe({
    ...subscription,
    topic: type,
    onMessage: (message, work) => handle(decodeEvent(type, message), work),
    ...(orderBy && { orderBy: (message) => orderBy(decodeEvent(type, message)) }),
  });
  lifecycle.add(`consumer of ${type}`, () => consumer.close());
  return consumer;
}
