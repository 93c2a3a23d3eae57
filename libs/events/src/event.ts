import { Event } from '@postroom/proto/postroom/v1/events';
import { currentTraceparent } from '@postroom/runtime/tracing';
import { NoMoreAttempts, type UnpublishedMessage } from './bus.ts';
import { type DataOf, eventTable, type EventType } from './event-table.ts';

/** An event as producers write it and consumers read it. */
export interface EventOf<T extends EventType> {
  /** The same however often the event is published or delivered. */
  id: string;
  type: T;
  workspaceId: string;
  occurredAt: Date;
  data: DataOf<T>;
}

/** An event as the bus carries it, and as it waits in its document until it is published. */
export type EncodedEvent = UnpublishedMessage;

export function encodeEvent<T extends EventType>(event: EventOf<T>): EncodedEvent {
  const { id, type, workspaceId, occurredAt, data } = event;
  const kind = eventTable[type];
  const value = Event.encode({ id, workspaceId, occurredAt: occurredAt.toISOString(), data: kind.wrap(data) }).finish();
  // Of what happened here, not of the moment at which a relay publishes it together with others.
  const traceparent = currentTraceparent();
  return { id, type, key: kind.key(data), occurredAt, value, ...(traceparent && { headers: { traceparent } }) };
}

/** Nobody can work on it, however often it is tried. */
export class UnreadableEvent extends NoMoreAttempts {
  override readonly name = 'UnreadableEvent';
}

export function decodeEvent<T extends EventType>(type: T, { value }: Pick<EncodedEvent, 'value'>): EventOf<T> {
  const { id, workspaceId, occurredAt, data } = read(value);
  if (data?.$case !== eventTable[type].case) throw new UnreadableEvent(`not an event of the type ${type}`);
  return { id, type, workspaceId, occurredAt: new Date(occurredAt), data: data.value as DataOf<T> };
}

function read(value: Uint8Array): Event {
  try {
    return Event.decode(value);
  } catch (cause) {
    throw new UnreadableEvent('not an event', { cause });
  }
}
