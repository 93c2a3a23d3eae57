import type { Clock } from '@postroom/runtime/clock';
import type { VariableChanges } from '@postroom/runtime/variable-changes';
import type { Bus, Consumer } from './bus.ts';
import { untilItAnswers } from '@postroom/runtime/until-it-answers';
import { eventTable } from './event-table.ts';
import { openKafkaBus } from './kafka-bus.ts';
import type { KafkaSettings } from './kafka-client.ts';
import { memoryBus, type MemoryBus } from './memory-bus.ts';
import { observedBus, type Observers } from './observed-bus.ts';
import type { Topic } from './topics.ts';

interface BusContext extends Observers {
  name?: string;
  clock: Clock;
  changes?: VariableChanges;
  /** Used as it is, whatever brokers are named. */
  bus?: Bus | undefined;
}

export interface BusOptions extends Partial<Pick<KafkaSettings, 'sasl' | 'tls'>> {
  /** Addresses of Kafka. None: the bus of this process, or, as `memory:NAME`, one of several in this process. */
  brokers?: readonly string[] | undefined;
  /** Stands before every topic and group, for a broker that several installations share. */
  prefix?: string | undefined;
  /** A service waits, unready, for a broker that is unavailable when it starts; a command says so and ends. */
  waits?: boolean;
  context: BusContext;
}

interface Shared {
  bus: MemoryBus;
  users: number;
}

/** Services that run in one process meet on one bus; the last to close takes it down. */
const inProcess = new Map<string, Shared>();

export async function openBus(options: BusOptions): Promise<Bus> {
  const { brokers = ['memory:default'], prefix, sasl, tls, waits = false, context } = options;
  if (context.bus) return observedBus(lend(context.bus), context);
  const [address = 'memory:default'] = brokers;
  if (address.startsWith('memory:')) return observedBus(shareMemoryBus(address, context), context);
  const { log, clock, name = 'postroom' } = context;
  // Connections of before stay as long as the broker lets them; every new one brings the new password.
  if (sasl) context.changes?.on('KAFKA_SASL_PASSWORD', (password) => void (sasl.password = password));
  const open = () => openKafkaBus({ brokers, clientId: name, prefix, sasl, tls, log, clock });
  const { readiness } = context;
  return observedBus(
    await (waits && readiness ? untilItAnswers('broker', open, { readiness, log, clock }) : open()),
    context,
  );
}

function shareMemoryBus(address: string, context: BusContext): Bus {
  const groupsOf = (topic: Topic) => eventTable[topic].groups;
  const shared = inProcess.get(address) ?? { bus: memoryBus({ ...context, groupsOf }), users: 0 };
  inProcess.set(address, shared);
  shared.users += 1;
  context.log.info({ bus: address }, 'events stay in this process');
  return lend(shared.bus, () => {
    shared.users -= 1;
    if (shared.users === 0) inProcess.delete(address);
  });
}

/** A bus of others: closing it ends what was subscribed through it, and nothing else. */
function lend(bus: Bus, giveBack: () => void = () => undefined): Bus {
  const mine = new Set<Consumer>();
  return {
    ...bus,
    subscribe: async (subscription) => {
      const consumer = await bus.subscribe(subscription);
      mine.add(consumer);
      return { ...consumer, close: () => consumer.close().finally(() => mine.delete(consumer)) };
    },
    close: async () => {
      await Promise.all([...mine].map((consumer) => consumer.close()));
      giveBack();
    },
  };
}
