import type { Admin, Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Clock } from '@postroom/runtime/clock';
import type { BusMessage } from './bus.ts';
import { fromKafka } from './kafka-codec.ts';
import { membership } from './kafka-consumer.ts';
import { lagOf } from './kafka-topics.ts';

export interface ReplayDeps {
  kafka: Kafka;
  admin: Admin;
  clock: Clock;
  groupId: string;
  /** The dead-letter topic, by its name on the broker. */
  topic: string;
  /** Called with the letters that match the ids. */
  resolve: (letters: readonly BusMessage[]) => Promise<void>;
  /** Appends the other letters to the topic again, because a committed offset is the only record of progress. */
  keep: (letters: readonly BusMessage[]) => Promise<void>;
}

const POLL_MS = 250;

/**
 * Reads a dead-letter topic up to its present end and processes its letters: all, or those with these ids. The commits
 * of the group record the progress of every process. When another process is active, this call waits for it and then
 * reads again, because letters that did not match there are now at the end of the topic. A crash may process a batch
 * twice.
 */
export async function resolveDead(deps: ReplayDeps, ids?: readonly string[]): Promise<number> {
  const { admin, clock, groupId, topic } = deps;
  const isOthers = async () => ((await admin.describeGroups([groupId])).groups[0]?.members.length ?? 0) > 0;
  for (;;) {
    const ends = new Map((await lagOf(admin, groupId, topic)).map(({ partition, high }) => [partition, high]));
    const isDone = async () => {
      const now = await lagOf(admin, groupId, topic);
      return now.every(({ partition, high, lag }) => high - BigInt(lag) >= (ends.get(partition) ?? 0n));
    };
    if (await isDone()) return 0;
    const resolved = (await isOthers()) ? undefined : await resolveAsMember(deps, ids, ends, isDone);
    if (resolved !== undefined) return resolved;
    while (await isOthers()) await clock.sleep(POLL_MS);
  }
}

/** Returns the number of letters that matched, or undefined when this member received no batch. */
async function resolveAsMember(
  { kafka, clock, groupId, topic, resolve, keep }: ReplayDeps,
  ids: readonly string[] | undefined,
  ends: ReadonlyMap<number, bigint>,
  isDone: () => Promise<boolean>,
): Promise<number | undefined> {
  const consumer = kafka.consumer({ groupId, ...membership, maxWaitTimeInMs: 200, allowAutoTopicCreation: false });
  let count: number | undefined;
  const eachBatch = async (payload: EachBatchPayload): Promise<void> => {
    const end = ends.get(payload.batch.partition) ?? 0n;
    const due = payload.batch.messages.filter(({ offset }) => BigInt(offset) < end);
    const last = due.at(-1);
    if (!last) return;
    const letters = due.map(fromKafka);
    const isMeant = ({ id }: BusMessage) => ids === undefined || ids.includes(id);
    const meant = letters.filter(isMeant);
    await Promise.all([resolve(meant), keep(letters.filter((letter) => !isMeant(letter)))]);
    count = (count ?? 0) + meant.length;
    payload.resolveOffset(last.offset);
    await payload.commitOffsetsIfNecessary(payload.uncommittedOffsets());
  };
  const ended = endOf(consumer);
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ eachBatchAutoResolve: false, eachBatch });
    // Of two members that start together, one may receive no partition. It ends when it sees that all is done.
    while (!(await isDone())) await Promise.race([clock.sleep(POLL_MS), ended]);
  } finally {
    await consumer.disconnect();
  }
  return count;
}

export function endOf(consumer: Consumer): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(causeOf(payload.error) as Error));
  });
  // The caller may race it later or never, so an early rejection must not count as unhandled.
  ended.catch(() => undefined);
  return ended;
}

/** kafkajs wraps the error that stopped the consumer. */
function causeOf(error: Error): unknown {
  return error.cause ?? error;
}
