import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Bus, Consumer } from './bus.ts';
import { memoryBus, type MemoryBus } from './memory-bus.ts';

export interface BusContext {
  log: Log;
  clock: Clock;
}

export interface BusOptions {
  /** Addresses of Kafka. None: the bus of this process, or, as `memory:NAME`, one of several in this process. */
  brokers?: readonly string[];
  context: BusContext;
}

interface Shared {
  bus: MemoryBus;
  users: number;
}

/** Services that run in one process meet on one bus; the last to close takes it down. */
const inProcess = new Map<string, Shared>();

export async function openBus({ brokers = ['memory:default'], context }: BusOptions): Promise<Bus> {
  const [address = 'memory:default'] = brokers;
  return shareMemoryBus(address, context);
}

function shareMemoryBus(address: string, context: BusContext): Bus {
  const shared = inProcess.get(address) ?? { bus: memoryBus(context), users: 0 };
  inProcess.set(address, shared);
  shared.users += 1;
  context.log.info({ bus: address }, 'events stay in this process');
  const mine: Consumer[] = [];
  return {
    ...shared.bus,
    subscribe: async (subscription) => {
      const consumer = await shared.bus.subscribe(subscription);
      mine.push(consumer);
      return consumer;
    },
    close: async () => {
      await Promise.all(mine.map((consumer) => consumer.close()));
      shared.users -= 1;
      if (shared.users === 0) inProcess.delete(address);
    },
  };
}
