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
  /** Of those that are meant. */
  settle: (letters: readonly BusMessage[]) => Promise<void>;
  /** Those that are not meant go to the end of the topic, because what was read is told by a place in it. */
  keep: (letters: readonly BusMessage[]) => Promise<void>;
}

const LOOK_MS = 250;

/**
 * Reads a dead-letter topic up to where it ends now, and settles what is there: all, or what has one of these ids. The
 * group's commits are the memory of what was settled, whoever did it: where somebody else is at it already, they are waited
 * for, and what is left then is looked at, because what they did not mean is at the end by now. A crash in the middle
 * settles a batch twice, as everything else here may.
 */
export async function settleDead(deps: ReplayDeps, ids?: readonly string[]): Promise<number> {
  const { admin, clock, groupId, topic } = deps;
  const isOthers = async () => ((await admin.describeGroups([groupId])).groups[0]?.members.length ?? 0) > 0;
  for (;;) {
    const ends = new Map((await lagOf(admin, groupId, topic)).map(({ partition, high }) => [partition, high]));
    const isDone = async () => {
      const now = await lagOf(admin, groupId, topic);
      return now.every(({ partition, high, lag }) => high - BigInt(lag) >= (ends.get(partition) ?? 0n));
    };
    if (await isDone()) return 0;
    const settled = (await isOthers()) ? undefined : await settleAsMember(deps, ids, ends, isDone);
    if (settled !== undefined) return settled;
    while (await isOthers()) await clock.sleep(LOOK_MS);
  }
}

/** How many were meant; undefined when it was given nothing to read. */
async function settleAsMember(
  { kafka, clock, groupId, topic, settle, keep }: ReplayDeps,
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
    await Promise.all([settle(meant), keep(letters.filter((letter) => !isMeant(letter)))]);
    count = (count ?? 0) + meant.length;
    payload.resolveOffset(last.offset);
    await payload.commitOffsetsIfNecessary(payload.uncommittedOffsets());
  };
  const ended = endOf(consumer);
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ eachBatchAutoResolve: false, eachBatch });
    // Two that begin in the same moment share a group, and one of them is given nothing: it sees that all of it is done.
    while (!(await isDone())) await Promise.race([clock.sleep(LOOK_MS), ended]);
  } finally {
    await consumer.disconnect();
  }
  return count;
}

export function endOf(consumer: Consumer): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(causeOf(payload.error) as Error));
  });
  // Asked about again and again, and nobody's fault while nobody asks.
  ended.catch(() => undefined);
  return ended;
}

/** kafkajs wraps what ended it. */
function causeOf(error: Error): unknown {
  return error.cause ?? error;
}
