import type { Bus, UnpublishedMessage } from '@postroom/events/bus';
import { toKafka } from '@postroom/events/kafka-codec';
import type { Topic } from '@postroom/events/topics';
import { Event } from '@postroom/proto/postroom/v1/events';
import type { Kafka } from 'kafkajs';

export interface Reader {
  /** Lets it go; resolves when it has read so many more. */
  read(count: number): Promise<void>;
  pause(): void;
  close(): Promise<unknown>;
}

/** As a service reads: many mailboxes side by side, each event decoded, and nothing to wait for. */
export async function ourConsumer(bus: Bus, topic: Topic): Promise<Reader> {
  const counter = createCounter();
  const consumer = await bus.subscribe({
    group: 'bench',
    topic,
    concurrency: 8,
    onMessage: async ({ value }) => {
      const { data } = Event.decode(value);
      if (data?.$case === 'emailReceived') counter.count(1);
    },
  });
  return {
    read: (count) => counter.reach(count, () => consumer.resume()),
    pause: () => consumer.pause(),
    close: () => consumer.close(),
  };
}

/** The shortest loop that reads the same: no order to keep, no attempt to repeat, committed after each batch. */
export async function bareConsumer(kafka: Kafka, topic: string): Promise<Reader> {
  const counter = createCounter();
  const consumer = kafka.consumer({ groupId: `${topic}.bare`, maxWaitTimeInMs: 500, maxBytesPerPartition: 524_288 });
  const joined = new Promise<void>((resolve) => void consumer.on(consumer.events.GROUP_JOIN, () => resolve()));
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      for (const { value } of batch.messages) {
        if (value && Event.decode(value).data?.$case === 'emailReceived') counter.count(1);
      }
    },
  });
  await joined;
  return {
    read: (count) => counter.reach(count, () => consumer.resume([{ topic }])),
    pause: () => consumer.pause([{ topic }]),
    close: () => consumer.disconnect(),
  };
}

export async function bareProducer(kafka: Kafka, topic: string) {
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 5, allowAutoTopicCreation: false });
  await producer.connect();
  return {
    publish: (messages: UnpublishedMessage[]) => producer.send({ topic, acks: -1, messages: messages.map(toKafka) }),
    close: () => producer.disconnect(),
  };
}

function createCounter() {
  let left = 0;
  let done: () => void = () => undefined;
  return {
    count: (more: number): void => {
      left -= more;
      if (left <= 0) done();
    },
    reach: (count: number, release: () => void) =>
      new Promise<void>((resolve) => {
        left = count;
        done = resolve;
        release();
      }),
  };
}
