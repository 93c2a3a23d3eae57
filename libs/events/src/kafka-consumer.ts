import {
  type Admin,
  type Consumer as KafkaConsumer,
  type Kafka,
  type PartitionAssigner,
  PartitionAssigners,
} from 'kafkajs';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { resultWithin } from '@postroom/runtime/within';
import type { Consumer, Subscription } from './bus.ts';
import { createInHand, type InHand } from './kafka-in-hand.ts';
import { lagOf } from './kafka-topics.ts';
import type { BeforeJoin } from './kafkajs-patch.ts';
import { createKeyedQueue } from '@postroom/runtime/keyed-queue';

interface ConsumerDeps {
  kafka: Kafka;
  admin: Admin;
  clock: Clock;
  log: Log;
  topic: string;
  groupId: string;
}

/**
 * The broker refuses less than 6 s. After this and a heartbeat a killed member's partitions move to others; and so long
 * waits a member whose only broker was unavailable, because it comes back under another id and its old one has to run out.
 */
const membership = { sessionTimeout: 6_000, heartbeatInterval: 2_000, rebalanceTimeout: 60_000 };
/** Bounds what is in memory, and what is read again after a crash. */
const fetching = { maxWaitTimeInMs: 500, maxBytesPerPartition: 524_288 };
/** One that has too much in hand is waited for a moment, and the others need not stand behind it. */
const PARTITIONS_AT_ONCE = 64;

/**
 * One that is closed while its broker is unavailable is waited for so long, at its start and at its end; then it ends by
 * itself when it can. kafkajs waits twenty seconds for a broker that does not answer, and longer than the process may.
 */
const WAIT_MS = 5_000;
/** kafkajs would start a member again behind the back of whoever closes it meanwhile, and never end it. */
const retry = { retries: 5, restartOnFailure: async () => false };

/** One member of a group. It is started anew whenever kafkajs ends it, until it is closed. */
export async function openKafkaConsumer(subscription: Subscription, deps: ConsumerDeps): Promise<Consumer> {
  const { log, clock, admin, topic, groupId } = deps;
  const concurrency = subscription.concurrency ?? 1;
  const queue = createKeyedQueue(() => concurrency);
  const inHand = createInHand({ ...deps, queue, subscription });
  const closing = new AbortController();
  const state: MemberState = { healthy: false, paused: false, refused: [] };

  const start = () => startMember({ ...deps, inHand, closing: closing.signal }, state, onEnd);
  const onEnd = async (ended: KafkaConsumer, error: Error): Promise<void> => {
    log.error({ err: error, topic, groupId }, 'the consumer ended, starting it anew');
    await ended.disconnect().catch(() => undefined);
    member = startUntilItRuns(start, clock, closing.signal, log);
  };
  let member: Promise<KafkaConsumer | undefined> = startOnceTopicIsKnown(start, clock);
  await member;

  return {
    pause: () => {
      state.paused = true;
      queue.hold();
    },
    resume: () => {
      state.paused = false;
      queue.release();
      for (const readOn of state.refused.splice(0)) readOn();
    },
    healthy: () => state.healthy,
    lag: async () => (await lagOf(admin, groupId, topic)).reduce((sum, { lag }) => sum + lag, 0),
    close: async () => {
      state.healthy = false;
      closing.abort(new Error('the consumer is closing'));
      await inHand.leave();
      const started = await resultWithin({ ms: WAIT_MS, clock }, member);
      if (started) await resultWithin({ ms: WAIT_MS, clock }, started.disconnect());
    },
  };
}

interface MemberState {
  healthy: boolean;
  paused: boolean;
  /** Partitions of which nothing was taken, each to be read again from where it was. */
  refused: (() => void)[];
}

async function startMember(
  deps: ConsumerDeps & { inHand: InHand; closing: AbortSignal },
  state: MemberState,
  onEnd: (ended: KafkaConsumer, error: Error) => Promise<void>,
): Promise<KafkaConsumer> {
  const { kafka, groupId, topic, inHand, closing } = deps;
  const partitionAssigners = [assignerThatWaits(inHand)];
  const settings = { groupId, partitionAssigners, retry, ...membership, ...fetching, allowAutoTopicCreation: false };
  const member = kafka.consumer(settings);
  member.on(member.events.GROUP_JOIN, () => {
    if (closing.aborted) return;
    state.healthy = true;
    inHand.join();
  });
  // It has left the group and will never read again, while its process lives on.
  member.on(member.events.CRASH, ({ payload }) => {
    state.healthy = false;
    inHand.lose();
    void onEnd(member, payload.error);
  });
  try {
    await member.connect();
    await member.subscribe({ topic, fromBeginning: true });
    await member.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: async (payload) => {
        if (closing.aborted || state.paused) return void state.refused.push(payload.pause());
        await inHand.take(payload);
      },
    });
  } catch (error) {
    await member.disconnect().catch(() => undefined);
    throw error;
  }
  if (closing.aborted) await member.disconnect();
  return member;
}

/** Partitions change hands only when what was begun of them is done, so that no key is worked on in two places. */
function assignerThatWaits(inHand: InHand): PartitionAssigner {
  const beforeJoin: BeforeJoin['beforeJoin'] = (isStillMember) => {
    if (!isStillMember) inHand.lose();
    return inHand.leave();
  };
  return (config) => ({ ...PartitionAssigners.roundRobin(config), beforeJoin });
}

const TOPIC_TRIES = 60;
const TOPIC_TRY_MS = 500;

/** Of several brokers some know a new topic later than others, and kafkajs takes the first answer for final. */
async function startOnceTopicIsKnown(start: () => Promise<KafkaConsumer>, clock: Clock): Promise<KafkaConsumer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      const isUnknown = (error as { type?: unknown }).type === 'UNKNOWN_TOPIC_OR_PARTITION';
      if (!isUnknown || tries === TOPIC_TRIES) throw error;
    }
    await clock.sleep(TOPIC_TRY_MS);
  }
}

async function startUntilItRuns(
  start: () => Promise<KafkaConsumer>,
  clock: Clock,
  closing: AbortSignal,
  log: Log,
): Promise<KafkaConsumer | undefined> {
  for (let waitMs = 500; !closing.aborted; waitMs = Math.min(10_000, waitMs * 2)) {
    await clock.sleep(waitMs, closing).catch(() => undefined);
    if (closing.aborted) return undefined;
    try {
      return await start();
    } catch (error) {
      log.warn({ err: error }, 'the consumer could not be started');
    }
  }
  return undefined;
}
