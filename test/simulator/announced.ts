import { decodeEvent } from '@postroom/events/event';
import type { Broker } from './world/broker.ts';

/** The ids of the events that said the same: of which type, about which email or message, and which label. */
type Announced = ReadonlyMap<string, ReadonlySet<string>>;

/** A repeated event has the id of the first one, so it counts once. */
export function announced(broker: Broker): Announced {
  const told = new Map<string, Set<string>>();
  for (const message of broker.published()) {
    const data: object = decodeEvent(message.type as 'label.applied', message).data;
    const { emailId, messageId, tagId } = data as { emailId?: string; messageId?: string; tagId?: string };
    const what = [message.type, emailId ?? messageId, ...(tagId ? [tagId] : [])].join(' ');
    told.set(what, (told.get(what) ?? new Set()).add(message.id));
  }
  return told;
}
