import type { Bus, BusMessage } from '@postroom/events/bus';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { memoryBus } from '@postroom/events/memory-bus';
import { Event } from '@postroom/proto/postroom/v1/events';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { removeTopics } from '../../support/kafka-topics.ts';

export interface Witness {
  /** The ids of the events of a type that were seen for an email: one, however often it was delivered. */
  eventsOf(type: 'email.received' | 'email.updated', emailId: string): ReadonlySet<string>;
  /** The bus of this process, for the stack to publish to where there is no Kafka. */
  bus: Bus | undefined;
  close(): Promise<void>;
}

/** Reads along, as a consumer that has to live through the same faults; on Kafka where there is one. */
export async function openWitness(brokers: readonly string[] | undefined, prefix: string): Promise<Witness> {
  const common = { clock: systemClock, log: silentLog };
  const bus: Bus = brokers
    ? await openKafkaBus({ brokers, clientId: 'witness', prefix, ...common })
    : memoryBus(common);
  const seen = new Map<string, Set<string>>();
  const onMessage = async ({ id, type, value }: BusMessage) => {
    const { emailId } = { ...Event.decode(value).data?.value } as { emailId: string };
    const name = `${type} ${emailId}`;
    seen.set(name, (seen.get(name) ?? new Set()).add(id));
  };
  for (const topic of ['email.received', 'email.updated'] as const) {
    await bus.subscribe({ group: 'witness', topic, concurrency: 4, onMessage });
  }
  return {
    bus: brokers ? undefined : bus,
    eventsOf: (type, emailId) => seen.get(`${type} ${emailId}`) ?? new Set(),
    close: async () => {
      await bus.close();
      if (brokers) await removeTopics(brokers, prefix);
    },
  };
}
