import type { Bus, BusMessage } from '@postroom/events/bus';
import { Event } from '@postroom/proto/postroom/v1/events';

/** Records the labels and classifications that were announced, by event id, so that a repeated event counts once. */
export async function witness(bus: Bus): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  for (const topic of ['label.applied', 'email.classified'] as const) {
    const onMessage = async (message: BusMessage) => void told.set(message.id, sayingOf(message));
    await bus.subscribe({ group: 'witness', topic, onMessage });
  }
  return told;
}

/** Names the change that an event announces: a label on an email, or that an email is classified. */
function sayingOf({ type, value }: Pick<BusMessage, 'type' | 'value'>): string {
  const { emailId = '', tagId = '' } = { ...Event.decode(value).data?.value } as { emailId?: string; tagId?: string };
  return `${type} ${emailId} ${tagId}`;
}
