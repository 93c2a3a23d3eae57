import type { Bus, BusMessage } from '@postroom/events/bus';
import { Event } from '@postroom/proto/postroom/v1/events';

/** Hears of each label and each classification: what every event said, by its id, however often it came. */
export async function witness(bus: Bus): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  for (const topic of ['label.applied', 'email.classified'] as const) {
    const onMessage = async (message: BusMessage) => void told.set(message.id, sayingOf(message));
    await bus.subscribe({ group: 'witness', topic, onMessage });
  }
  return told;
}

/** What an event tells of: a label on an email, or that an email is classified. */
function sayingOf({ type, value }: Pick<BusMessage, 'type' | 'value'>): string {
  const { emailId = '', tagId = '' } = { ...Event.decode(value).data?.value } as { emailId?: string; tagId?: string };
  return `${type} ${emailId} ${tagId}`;
}
