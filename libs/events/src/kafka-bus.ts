import type { Admin, Kafka } from 'kafkajs';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Bus, Consumer } from './bus.ts';
import { type KafkaSettings, meetKafka, openKafka } from './kafka-client.ts';
import { openKafkaConsumer } from './kafka-consumer.ts';
import { createKafkaProducer } from './kafka-producer.ts';
import { ensureTopics } from './kafka-topics.ts';

interface KafkaBusOptions extends KafkaSettings {
  /** Stands before every topic and group, for a broker that several installations share. */
  prefix?: string | undefined;
  clock: Clock;
  log: Log;
}

/** Kafka as the bus. Opening it connects and makes the topics, so that a wrong address is known at the start. */
export async function openKafkaBus(options: KafkaBusOptions): Promise<Bus> {
  const { prefix = '', clock, log } = options;
  await meetKafka(options);
  const kafka = openKafka(options, log);
  const admin = await openAdmin(kafka, prefix);
  const producer = createKafkaProducer(kafka);
  const consumers = new Set<Consumer>();

  return {
    publish: async (topic, messages, onSafe) => {
      await producer.publish(prefix + topic, messages);
      if (onSafe) for (const { id } of messages) onSafe(id);
    },
    subscribe: async (subscription) => {
      const { group, topic } = subscription;
      const consumer = await openKafkaConsumer(subscription, {
        kafka,
        admin,
        clock,
        log,
        topic: prefix + topic,
        groupId: groupIdOf(prefix, group, topic),
      });
      consumers.add(consumer);
      return { ...consumer, close: () => consumer.close().finally(() => consumers.delete(consumer)) };
    },
    close: async () => {
      await Promise.all([...consumers].map((consumer) => consumer.close()));
      await producer.close();
      await admin.disconnect();
    },
  };
}

/** A connected admin client, after it has made the topics. */
async function openAdmin(kafka: Kafka, prefix: string): Promise<Admin> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await ensureTopics(admin, prefix);
    return admin;
  } catch (error) {
    // A caller that waits for a broker opens the bus again and again.
    await admin.disconnect().catch(() => undefined);
    throw error;
  }
}

/**
 * One group of Kafka's for each topic that a group of ours reads. kafkajs lets the first member of a group share out its
 * own topics alone, so whoever joined it for another topic would be given nothing of that, and read nothing, in silence.
 */
export function groupIdOf(prefix: string, group: string, topic: string): string {
  return `${prefix}${group}.${topic}`;
}
