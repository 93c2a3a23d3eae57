import type { Admin, Kafka } from 'kafkajs';
import type { OutgoingMessage } from './bus.ts';
import { revived } from './dead-letter.ts';
import { causeOf } from './kafka-batch.ts';
import { fromKafka } from './kafka-codec.ts';
import { membership } from './kafka-consumer.ts';
import { lagOf } from './kafka-topics.ts';

export interface ReplayDeps {
  kafka: Kafka;
  admin: Admin;
  groupId: string;
  /** The dead-letter topic, by its name on the broker. */
  topic: string;
  publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
}

/**
 * Reads a dead-letter topic up to where it ends now, and publishes what is there to the live topic. The group's commits
 * are the memory of what was replayed; a crash in the middle replays a batch twice, as everything else here may.
 */
export async function replayDead({ kafka, admin, groupId, topic, publish }: ReplayDeps): Promise<number> {
  const before = (await lagOf(admin, groupId, topic)).filter(({ lag }) => lag > 0);
  if (before.length === 0) return 0;
  const ends = new Map(before.map(({ partition, high }) => [partition, high]));
  const consumer = kafka.consumer({ groupId, ...membership, maxWaitTimeInMs: 200, allowAutoTopicCreation: false });
  let count = 0;
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(causeOf(payload.error) as Error));
      const run = consumer.run({
        eachBatchAutoResolve: false,
        eachBatch: async (payload) => {
          const { batch } = payload;
          const end = ends.get(batch.partition) ?? 0n;
          const due = batch.messages.filter(({ offset }) => BigInt(offset) < end);
          const last = due.at(-1);
          if (!last) return;
          await publish(due.map((message) => revived(fromKafka(message))));
          count += due.length;
          payload.resolveOffset(last.offset);
          await payload.commitOffsetsIfNecessary(payload.uncommittedOffsets());
          if (BigInt(last.offset) + 1n >= end) ends.delete(batch.partition);
          if (ends.size === 0) resolve();
        },
      });
      run.catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
  return count;
}
