import type { Admin, Consumer as KafkaConsumer, Kafka } from 'kafkajs';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Consumer, Subscription } from './bus.ts';
import type { DeliveryDeps } from './deliver.ts';
import { workOff } from './kafka-batch.ts';
import { lagOf } from './kafka-topics.ts';
import { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts';
import type { Stopper } from './stopper.ts';

export interface ConsumerDeps {
  kafka: Kafka;
  admin: Admin;
  clock: Clock;
  log: Log;
  topic: string;
  groupId: string;
  toDeadLetter: DeliveryDeps['toDeadLetter'];
}

/**
 * The broker refuses less than 6 s. After this and a heartbeat a killed member's partitions move to others; and so long
 * waits a member whose only broker was away, because it comes back under another id and its old one has to run out.
 */
export const membership = { sessionTimeout: 6_000, heartbeatInterval: 2_000, rebalanceTimeout: 60_000 };
/** Bounds what is in memory, and what is read again after a crash. */
const fetching = { maxWaitTimeInMs: 500, maxBytesPerPartition: 524_288 };
const MOST_PARTITIONS_AT_ONCE = 8;

/** One member of a group. It is started anew whenever kafkajs ends it, until it is closed. */
export async function openKafkaConsumer(subscription: Subscription, deps: ConsumerDeps): Promise<Consumer> {
  const { log, clock, admin, topic, groupId } = deps;
  const concurrency = subscription.concurrency ?? 1;
  const queue = createKeyedQueue(() => concurrency);
  const underWay = new Set<Stopper>();
  const closing = new AbortController();
  const state = { healthy: false, paused: false };

  const start = () => startMember(subscription, { ...deps, queue, underWay, closing: closing.signal }, state, onEnd);
  const onEnd = async (ended: KafkaConsumer, error: Error): Promise<void> => {
    state.healthy = false;
    log.error({ err: error, topic, groupId }, 'the consumer ended, starting it anew');
    await ended.disconnect().catch(() => undefined);
    member = startUntilItRuns(start, clock, closing.signal, log);
  };
  let member: Promise<KafkaConsumer | undefined> = start();
  await member;

  return {
    pause: () => {
      state.paused = true;
      queue.hold();
      void member.then((running) => pauseMember(running, topic));
    },
    resume: () => {
      state.paused = false;
      queue.release();
      void member.then((running) => running?.resume([{ topic }]));
    },
    healthy: () => state.healthy,
    lag: async () => (await lagOf(admin, groupId, topic)).reduce((sum, { lag }) => sum + lag, 0),
    close: async () => {
      state.healthy = false;
      closing.abort(new Error('the consumer is closing'));
      for (const stop of underWay) stop.leave();
      await (await member)?.disconnect();
    },
  };
}

interface MemberState {
  healthy: boolean;
  paused: boolean;
}

async function startMember(
  subscription: Subscription,
  deps: ConsumerDeps & { queue: KeyedQueue; underWay: Set<Stopper>; closing: AbortSignal },
  state: MemberState,
  onEnd: (ended: KafkaConsumer, error: Error) => Promise<void>,
): Promise<KafkaConsumer> {
  const { kafka, groupId, topic } = deps;
  const member = kafka.consumer({ groupId, ...membership, ...fetching, allowAutoTopicCreation: false });
  member.on(member.events.GROUP_JOIN, () => {
    state.healthy = true;
    if (state.paused) pauseMember(member, topic);
  });
  // `restart: false` is how kafkajs says that this consumer will never read again, while its process lives on.
  member.on(member.events.CRASH, ({ payload }) => {
    state.healthy = false;
    if (!payload.restart) void onEnd(member, payload.error);
  });
  await member.connect();
  await member.subscribe({ topic, fromBeginning: true });
  await member.run({
    partitionsConsumedConcurrently: Math.min(MOST_PARTITIONS_AT_ONCE, subscription.concurrency ?? 1),
    eachBatchAutoResolve: false,
    eachBatch: (payload) => workOff(payload, { ...deps, subscription }),
  });
  return member;
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

/** A member that is between two assignments has nothing to pause; it is paused when it has joined. */
function pauseMember(member: KafkaConsumer | undefined, topic: string): void {
  try {
    member?.pause([{ topic }]);
  } catch {
    // Not joined yet.
  }
}
