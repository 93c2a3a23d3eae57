import { type ICustomPartitioner, type Kafka, Partitioners, type Producer } from 'kafkajs';
import type { UnpublishedMessage } from './bus.ts';
import { toKafka } from './kafka-codec.ts';
import { createKeyedQueue } from '@postroom/runtime/keyed-queue';

export interface KafkaProducer {
  publish(topic: string, messages: readonly UnpublishedMessage[]): Promise<void>;
  close(): Promise<void>;
}

/** A broker takes 1 MB per batch unless told otherwise; what a batch holds beside the values fits in the rest. */
const BATCH_BYTES = 700_000;
const BATCH_MESSAGES = 500;
/** Of a topic. Whoever publishes gives up and tries again, and what he gave up on waits here still, however long the broker hangs. */
const MOST_WAITING = 10_000;

/**
 * Idempotent, acknowledged by all replicas, in batches: one awaited message at a time is 25 times slower. Each topic has
 * a producer of its own, because one that failed is given up, and sends one batch after the other: of a batch whose
 * answer was lost kafkajs takes back the numbers and asks again later, and whatever it sends before would go out under
 * those very numbers, be taken for the repeat and be dropped in silence.
 */
export function createKafkaProducer(kafka: Pick<Kafka, 'producer'>): KafkaProducer {
  const current = new Map<string, Promise<Opened>>();
  const queue = createKeyedQueue();
  const waiting = new Map<string, number>();
  let isClosed = false;

  const producerOf = (topic: string): Promise<Opened> => {
    const known = current.get(topic) ?? open(kafka);
    current.set(topic, known);
    return known;
  };
  const drop = (topic: string, failed: Promise<Opened>): void => {
    if (current.get(topic) === failed) current.delete(topic);
    failed.then(({ producer }) => producer.disconnect()).catch(() => undefined);
  };

  const send = async (topic: string, messages: readonly UnpublishedMessage[]): Promise<void> => {
    if (isClosed) throw new Error('the producer is closed');
    const using = producerOf(topic);
    try {
      const opened = await using;
      for (const batch of batches(messages)) await sendBatch(opened, topic, batch);
    } catch (error) {
      // It does not know whether its last batch was written, and a new producer has numbers of its own.
      drop(topic, using);
      throw error;
    } finally {
      // For what it still had to send kafkajs has connected again.
      if (isClosed) drop(topic, using);
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
      const closing = [...current.values()];
      current.clear();
      await Promise.allSettled(closing.map(async (opened) => (await opened).producer.disconnect()));
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
  const producer = kafka.producer({ idempotent: true, allowAutoTopicCreation: false, createPartitioner });
  try {
    await producer.connect();
  } catch (error) {
    // It may have connected, and been given no number.
    await producer.disconnect().catch(() => undefined);
    throw error;
  }
  return { producer, chosen };
}

/**
 * kafkajs asks no broker twice that has answered: what another led before it went, and this one leads now, it sends to
 * nobody and calls sent. What was taken is told by the answer.
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
