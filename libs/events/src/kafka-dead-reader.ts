import { randomUUID } from 'node:crypto';
import type { Admin, EachBatchPayload, Kafka } from 'kafkajs';
import type { BusMessage } from './bus.ts';
import { fromKafka } from './kafka-codec.ts';
import { membership } from './kafka-consumer.ts';
import { endOf } from './kafka-dead-letters.ts';
import { lagOf } from './kafka-topics.ts';

interface ReaderDeps {
  kafka: Kafka;
  admin: Admin;
  /** The group whose commits record which letters are processed. */
  groupId: string;
  topic: string;
}

/** Reads the waiting letters without a change to them: a temporary group reads them and is deleted afterwards. */
export async function readDead({ kafka, admin, groupId, topic }: ReaderDeps, limit: number): Promise<BusMessage[]> {
  const waiting = (await lagOf(admin, groupId, topic)).filter(({ lag }) => lag > 0);
  if (waiting.length === 0) return [];
  const ends = new Map(waiting.map(({ partition, high }) => [partition, high]));
  const readerId = `${groupId}.look.${randomUUID()}`;
  const consumer = kafka.consumer({
    groupId: readerId,
    ...membership,
    maxWaitTimeInMs: 200,
    allowAutoTopicCreation: false,
  });
  const found: BusMessage[] = [];
  const ended = endOf(consumer);
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    const done = new Promise<void>((resolve, reject) => {
      const eachBatch = async ({ batch: { partition, messages } }: EachBatchPayload): Promise<void> => {
        const end = ends.get(partition) ?? 0n;
        found.push(...messages.filter(({ offset }) => BigInt(offset) < end).map(fromKafka));
        if (BigInt(messages.at(-1)?.offset ?? 0) + 1n >= end) ends.delete(partition);
        if (ends.size === 0 || found.length >= limit) resolve();
      };
      consumer.run({ autoCommit: false, eachBatch }).catch(reject);
    });
    for (const { partition, high, lag } of waiting)
      consumer.seek({ topic, partition, offset: String(high - BigInt(lag)) });
    await Promise.race([done, ended]);
  } finally {
    await consumer.disconnect();
    await admin.deleteGroups([readerId]).catch(() => undefined);
  }
  return found.slice(0, limit);
}
