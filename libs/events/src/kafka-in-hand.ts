import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Subscription } from './bus.ts';
import { isFor } from './dead-letter.ts';
import { type DeliveryDeps, deliverToEnd, orderedDelivery } from './deliver.ts';
import { fromKafka } from './kafka-codec.ts';
import { createCommits, isLost } from './kafka-commits.ts';
import { createOffsets, type Offsets } from './kafka-offsets.ts';
import type { KeyedQueue, Rest } from '@postroom/runtime/keyed-queue';
import { createStopper } from './stopper.ts';

interface InHandDeps {
  clock: Clock;
  log: Log;
  queue: KeyedQueue;
  subscription: Subscription;
}

/** The messages that one consumer has read from its partitions, and whose offsets are not committed yet. */
export interface InHand {
  /** Call it after the consumer has joined the group: `take` accepts messages from then on. */
  join(): void;
  /** Returns as soon as more may be read. The handlers of its messages may still run then. */
  take(payload: EachBatchPayload): Promise<void>;
  /** Accepts no more messages. Resolves when all handlers have ended and their offsets are committed. */
  leave(): Promise<void>;
  /** Other consumers already have the partitions, so it aborts the handlers. */
  lose(): void;
}

type Delivery = Omit<DeliveryDeps, 'rest'>;

/** The messages of one partition, from the oldest that is not done. Bounds memory and the repeats after a crash. */
const MOST_AHEAD = 2_000;
/** A full partition may block the others for this long before it is paused. Most have room again by then. */
const PATIENCE_MS = 1_000;
const BEAT_MS = 1_000;
/** Under the rebalance timeout: handlers get this long to finish before the group goes on without them. */
const GRACE_MS = 20_000;

/**
 * kafkajs reads more only when all messages of a batch are done, so one slow message would block all other keys. So
 * this code resolves each batch at once, tracks the progress of each partition itself, and commits it. A crash repeats
 * messages and skips none.
 */
export function createInHand(deps: InHandDeps): InHand {
  const { clock, log, queue } = deps;
  const partitions = new Map<number, Partition>();
  let stop = createStopper(clock, GRACE_MS);
  let isMember = false;
  let voice: EachBatchPayload | undefined;
  const work = createWork(deps);
  const commits = createCommits({ clock, log, partitions, voice: () => voice });

  return {
    join: () => void (isMember = true),
    take: async (payload) => {
      const { partition: at, messages } = payload.batch;
      const end = messages.at(-1);
      if (!isMember || !end) return;
      voice = payload;
      const partition = partitions.get(at) ?? { offsets: createOffsets(), wake: () => undefined };
      partitions.set(at, partition);
      const delivery = { ...deps, stop, heartbeat: () => payload.heartbeat() };
      for (const raw of messages) {
        const done = partition.offsets.take(raw.offset);
        void work.begin(raw, delivery, () => {
          done();
          if (partition.offsets.ahead() <= MOST_AHEAD / 2) wake(partition);
          commits.soon();
        });
      }
      payload.resolveOffset(end.offset);
      if (partition.offsets.ahead() > MOST_AHEAD) await untilBelowLimit(payload, partition, clock);
    },
    leave: async () => {
      const left = stop;
      isMember = false;
      left.leave();
      queue.drop();
      for (const partition of partitions.values()) wake(partition);
      const beat = setInterval(() => {
        if (voice) void isLost(voice, log).then((none) => none && left.lose(taken()));
      }, BEAT_MS);
      await work.idle();
      clearInterval(beat);
      left.done();
      await commits.last();
      if (stop !== left) return;
      partitions.clear();
      stop = createStopper(clock, GRACE_MS);
    },
    lose: () => {
      isMember = false;
      voice = undefined;
      stop.lose(taken());
      queue.drop();
    },
  };
}

const taken = () => new Error('the partition belongs to another consumer now');

interface Partition {
  offsets: Offsets;
  /** Ends the wait for room and resumes a paused partition. */
  wake: () => void;
}

function wake(partition: Partition): void {
  const go = partition.wake;
  partition.wake = () => undefined;
  go();
}

async function untilBelowLimit(payload: EachBatchPayload, partition: Partition, clock: Clock): Promise<void> {
  const belowLimit = new AbortController();
  const before = partition.wake;
  partition.wake = () => {
    belowLimit.abort();
    before();
  };
  await clock.sleep(PATIENCE_MS, belowLimit.signal).catch(() => undefined);
  if (belowLimit.signal.aborted) return;
  const resume = payload.pause();
  partition.wake = () => {
    resume();
    before();
  };
}

/** Messages in progress or in the queue. The next consumer of the partition starts an unfinished message again. */
function createWork({ queue, subscription }: InHandDeps) {
  const waiting: (() => void)[] = [];
  let outstanding = 0;
  const handle = async (raw: KafkaMessage, delivery: Delivery): Promise<void> => {
    const message = fromKafka(raw);
    if (!isFor(subscription.group, message)) return;
    const ordered = orderedDelivery(message, subscription);
    const run = (rest: Rest) => deliverToEnd(message, ordered.subscription, { ...delivery, rest });
    await queue.add(ordered.key, run, ordered.owners);
  };
  return {
    begin: async (raw: KafkaMessage, delivery: Delivery, done: () => void): Promise<void> => {
      outstanding += 1;
      await handle(raw, delivery).then(done, () => undefined);
      outstanding -= 1;
      if (outstanding === 0) for (const tell of waiting.splice(0)) tell();
    },
    idle: async (): Promise<void> => {
      while (outstanding > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
