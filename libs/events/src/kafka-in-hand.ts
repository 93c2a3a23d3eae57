import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Subscription } from './bus.ts';
import { isFor } from './dead-letter.ts';
import { type DeliveryDeps, deliverUntilSettled, inOrder } from './deliver.ts';
import { fromKafka } from './kafka-codec.ts';
import { createCommits, isLost } from './kafka-commits.ts';
import { createOffsets, type Offsets } from './kafka-offsets.ts';
import type { KeyedQueue, Rest } from '@postroom/runtime/keyed-queue';
import { createStopper } from './stopper.ts';

export interface InHandDeps {
  clock: Clock;
  log: Log;
  queue: KeyedQueue;
  subscription: Subscription;
  toDeadLetter: DeliveryDeps['toDeadLetter'];
}

/** What one consumer has of its partitions: read, and not yet known to the broker as done. */
export interface InHand {
  /** The group was joined: what is read from now on is taken. */
  join(): void;
  /** Returns as soon as more may be read; what it took is worked on meanwhile and after. */
  take(payload: EachBatchPayload): Promise<void>;
  /** From now on nothing is taken. Resolves when nothing is under way, and what is done is committed. */
  leave(): Promise<void>;
  /** Others have the partitions already: what is under way is aborted. */
  lose(): void;
}

type Delivery = Omit<DeliveryDeps, 'rest'>;

/** Of one partition, from the oldest that is not done. Bounds memory, and what a crash repeats. */
const MOST_AHEAD = 2_000;
/** So long a partition that is ahead may hold up the others, before it is paused: most have made room by then. */
const PATIENCE_MS = 1_000;
const BEAT_MS = 1_000;
/** Under the rebalance timeout: handlers get this long to finish before the group goes on without them. */
const GRACE_MS = 20_000;

/**
 * kafkajs reads on only when all that it read is done, so one slow message would hold up those of every other key. Hence
 * it is told at once that all is done, and how far each partition is, is kept here and committed from here: a crash
 * repeats messages and skips none.
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
      if (partition.offsets.ahead() > MOST_AHEAD) await untilRoom(payload, partition, clock);
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
      left.settle();
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
  /** Lets whoever waits for room go on, and has a paused partition read again. */
  wake: () => void;
}

function wake(partition: Partition): void {
  const go = partition.wake;
  partition.wake = () => undefined;
  go();
}

async function untilRoom(payload: EachBatchPayload, partition: Partition, clock: Clock): Promise<void> {
  const room = new AbortController();
  const before = partition.wake;
  partition.wake = () => {
    room.abort();
    before();
  };
  await clock.sleep(PATIENCE_MS, room.signal).catch(() => undefined);
  if (room.signal.aborted) return;
  const resume = payload.pause();
  partition.wake = () => {
    resume();
    before();
  };
}

/** What is under way or waits in the queue. A message that is not done when the consumer leaves begins with whoever is next. */
function createWork({ queue, subscription }: InHandDeps) {
  const waiting: (() => void)[] = [];
  let outstanding = 0;
  const handle = async (raw: KafkaMessage, delivery: Delivery): Promise<void> => {
    const message = fromKafka(raw);
    if (!isFor(subscription.group, message)) return;
    const ordered = inOrder(message, subscription);
    const run = (rest: Rest) => deliverUntilSettled(message, ordered.subscription, { ...delivery, rest });
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
