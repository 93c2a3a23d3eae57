import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Bus, BusMessage, Consumer, OnSafe, UnpublishedMessage, Subscription } from './bus.ts';
import { type BusFaults, type FaultOptions, noFaults, seededFaults } from './faults.ts';
import { createMemoryGroup, type MemoryGroup } from './memory-group.ts';
import { createUnhandledMessages } from './memory-unhandled.ts';
import type { Topic } from './topics.ts';

/** A group that subscribes later still gets this many messages. Older ones are dropped, as by a broker's retention. */
const KEPT_PER_TOPIC = 20_000;

interface MemoryBusOptions {
  clock: Clock;
  log: Log;
  faults?: FaultOptions;
  /** The groups that handle a topic, also before they subscribe. Without it they are those that have subscribed. */
  groupsOf?: (topic: Topic) => readonly string[];
}

export interface MemoryBus extends Bus {
  /** Resolves when every group with a consumer has handled everything published so far and since. For tests. */
  idle(): Promise<void>;
  /** The messages of a topic. For tests. */
  messagesIn(topic: Topic): readonly BusMessage[];
}

/**
 * The bus of one process: the same promises as Kafka's, as far as one process can make them. It keeps nothing on disk,
 * so it tells the publisher when each message is safe, and the publisher keeps the message until then.
 */
export function memoryBus({ clock, log, faults: options, groupsOf = () => [] }: MemoryBusOptions): MemoryBus {
  const faults = options ? seededFaults(options) : noFaults;
  const { logOf, groups, store, groupOf } = createDelivery({ clock, log, faults, groupsOf });

  return {
    publish: async (topic, messages, onSafe) => {
      const fate = faults.publish();
      if (fate !== 'lost') store(topic, messages, onSafe);
      if (fate !== 'fine') throw new Error(`publish to ${topic} failed (injected fault)`);
    },
    subscribe: async (subscription): Promise<Consumer> => groupOf(subscription).join(subscription),
    close: async () => {
      await Promise.all([...groups.values()].map((group) => group.close()));
    },
    idle: () => untilIdle(groups),
    messagesIn: (topic) => logOf(topic),
  };
}

type DeliveryOptions = Required<Pick<MemoryBusOptions, 'clock' | 'log' | 'groupsOf'>> & { faults: BusFaults };

/** The messages by topic, and the groups that take them. */
function createDelivery({ clock, log, faults, groupsOf }: DeliveryOptions) {
  const { logOf, append } = createTopicLogs();
  const groups = new Map<string, MemoryGroup>();
  const unhandled = createUnhandledMessages();

  // A broker knows only the message, not the async context of its publisher, so handlers run outside that context.
  const outside = AsyncLocalStorage.snapshot();

  const store = (topic: Topic, messages: readonly UnpublishedMessage[], onSafe?: OnSafe): void => {
    const stored = append(topic, messages);
    const subscribed = [...groups.values()].filter((group) => group.topic === topic);
    if (onSafe) unhandled.add(stored, [...subscribed.map(({ name }) => name), ...groupsOf(topic)], onSafe);
    for (const group of subscribed) outside(() => group.take(stored));
  };
  const groupOf = (subscription: Subscription): MemoryGroup => {
    const name = `${subscription.group}\n${subscription.topic}`;
    const known = groups.get(name);
    if (known) return known;
    const onHandled = (message: BusMessage) => unhandled.handled(message, subscription.group);
    const group = createMemoryGroup(subscription, { clock, log, faults, onHandled });
    group.take(logOf(subscription.topic));
    groups.set(name, group);
    return group;
  };

  return { logOf, groups, store, groupOf };
}

function createTopicLogs() {
  const logs = new Map<string, BusMessage[]>();
  const logOf = (topic: string): BusMessage[] => {
    const known = logs.get(topic) ?? [];
    logs.set(topic, known);
    return known;
  };
  return {
    logOf,
    append: (topic: string, messages: readonly UnpublishedMessage[]): BusMessage[] => {
      const stored = messages.map((message) => ({ ...message, headers: { ...message.headers } }));
      const kept = logOf(topic);
      kept.push(...stored);
      kept.splice(0, kept.length - KEPT_PER_TOPIC);
      return stored;
    },
  };
}

async function untilIdle(groups: ReadonlyMap<string, MemoryGroup>): Promise<void> {
  for (let moved = true; moved;) {
    moved = false;
    for (const group of groups.values()) moved = (await group.idle()) || moved;
  }
}
