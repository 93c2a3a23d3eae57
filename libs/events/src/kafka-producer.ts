import { type ICustomPartitioner, type Kafka, Partitioners, type Producer } from 'kafkajs';
import type { UnpublishedMessage } from './bus.ts';
import { toKafka } from './kafka-codec.ts';
import { createKeyedQueue } from '@postroom/runtime/keyed-queue';

interface KafkaProducer {
  publish(topic: string, messages: readonly UnpublishedMessage[]): Promise<void>;
  close(): Promise<void>;
}

/** A broker takes 1 MB per batch unless told otherwise; what a batch holds beside the values fits in the rest. */
const BATCH_BYTES = 700_000;
const BATCH_MESSAGES = 500;
/** kafkajs would give up after five, sooner than the leaders of a killed broker have moved. */
const RETRIES = 60;
/** Messages of one topic. A publisher gives up and tries again, but its messages stay here while the broker hangs. */
const MOST_WAITING = 10_000;

/**
 * Acknowledged by all replicas, in batches: one awaited message at a time is 25 times slower. It is not idempotent: a
 * batch whose answer is lost is written again, and consumers handle a repeated event once anyway. One batch of a topic
 * follows the other, so that a repeated batch comes before the next one and the order of each key is kept. Each topic
 * has its own producer, because kafkajs sends nothing at all while one of a producer's topics has no leader.
 */
export function createKafkaProducer(kafka: Pick<Kafka, 'producer'>): KafkaProducer {
  const producers = new Map<string, Promise<Opened>>();
  const queue = createKeyedQueue();
  const waiting = new Map<string, number>();
  let isClosed = false;

  const producerOf = (topic: string): Promise<Opened> => {
    const known = producers.get(topic);
    if (known) return known;
    const opening = open(kafka);
    producers.set(topic, opening);
    opening.catch(() => producers.delete(topic));
    return opening;
  };

  const send = async (topic: string, messages: readonly UnpublishedMessage[]): Promise<void> => {
    if (isClosed) throw new Error('the producer is closed');
    const opened = await producerOf(topic);
    try {
      for (const batch of batches(messages)) await sendBatch(opened, topic, batch);
    } finally {
      // kafkajs connects again for a batch that it repeats after the close.
      if (isClosed) opened.producer.disconnect().catch(() => undefined);
    }
  };

  return {
    publish: async (topic, messages) => {
      const before = waiting.get(topic) ?? 0;
      const now = before + messages.length;
      if (before > 0 && now > MOST_WAITING) throw new Error(`${before} messages wait for ${topic} to answer`);
      waiting.set(topic, now);
      const done = () => waiting.set(topic, (waiting.get(topic) ?? 0) - messages.length);
      await queue.add(topic, () => send(topic, messages)).finally(done);
    },
    close: async () => {
      isClosed = true;
      queue.drop();
      await Promise.allSettled([...producers.values()].map(async (opened) => (await opened).producer.disconnect()));
    },
  };
}

interface Opened {
  producer: Producer;
  /** The partitions that kafkajs has chosen for what it sends. */
  chosen: Set<number>;
}

async function open(kafka: Pick<Kafka, 'producer'>): Promise<Opened> {
  const chosen = new Set<number>();
  const createPartitioner: ICustomPartitioner = () => {
    const choose = Partitioners.DefaultPartitioner();
    return (message) => {
      const partition = choose(message);
      chosen.add(partition);
      return partition;
    };
  };
  const retry = { retries: RETRIES };
  const producer = kafka.producer({ retry, allowAutoTopicCreation: false, createPartitioner });
  try {
    await producer.connect();
  } catch (error) {
    // Some of its connections may be open.
    await producer.disconnect().catch(() => undefined);
    throw error;
  }
  return { producer, chosen };
}

/**
 * kafkajs asks no broker twice that has answered: when such a broker becomes the leader of another partition, kafkajs
 * sends that partition's messages to nobody and reports success. The answer names the partitions that took theirs.
 */
async function sendBatch({ producer, chosen }: Opened, topic: string, batch: UnpublishedMessage[]): Promise<void> {
  chosen.clear();
  const taken = await producer.send({ topic, acks: -1, messages: batch.map(toKafka) });
  for (const { partition } of taken) chosen.delete(partition);
  if (chosen.size > 0) throw new Error(`no broker took what is for partition ${[...chosen].join(', ')} of ${topic}`);
}

function* batches(messages: readonly UnpublishedMessage[]): Generator<UnpublishedMessage[]> {
  let batch: UnpublishedMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    if (batch.length > 0 && (bytes + message.value.byteLength > BATCH_BYTES || batch.length >= BATCH_MESSAGES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += message.value.byteLength;
  }
  if (batch.length > 0) yield batch;
}
