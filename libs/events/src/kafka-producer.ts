import { type Kafka, Partitioners, type Producer } from 'kafkajs';
import type { OutgoingMessage } from './bus.ts';
import { toKafka } from './kafka-codec.ts';

export interface KafkaProducer {
  publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}

/** A broker takes 1 MB per batch unless told otherwise; what a batch holds beside the values fits in the rest. */
const BATCH_BYTES = 700_000;
const BATCH_MESSAGES = 500;

/** Idempotent, acknowledged by all replicas, in batches: one awaited message at a time is 25 times slower. */
export function createKafkaProducer(kafka: Kafka): KafkaProducer {
  let current: Promise<Producer> | undefined;

  const open = async (): Promise<Producer> => {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 5,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    return producer;
  };
  const drop = (failed: Promise<Producer>): void => {
    if (current === failed) current = undefined;
    failed.then((producer) => producer.disconnect()).catch(() => undefined);
  };

  return {
    publish: async (topic, messages) => {
      const using = (current ??= open());
      try {
        const producer = await using;
        for (const batch of batches(messages)) {
          await producer.send({ topic, acks: -1, messages: batch.map(toKafka) });
        }
      } catch (error) {
        // It does not know whether its last batch was written. With the same numbers the broker would take the next one
        // for a repeat and drop it in silence; a new producer has numbers of its own.
        drop(using);
        throw error;
      }
    },
    close: async () => {
      const closing = current;
      current = undefined;
      await closing?.then((producer) => producer.disconnect()).catch(() => undefined);
    },
  };
}

function* batches(messages: readonly OutgoingMessage[]): Generator<OutgoingMessage[]> {
  let batch: OutgoingMessage[] = [];
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
