import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Subscription } from './bus.ts';
import { isFor } from './dead-letter.ts';
import { deliver, type DeliveryDeps, inOrder } from './deliver.ts';
import { fromKafka } from './kafka-codec.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import { createStopper, type Stopper } from './stopper.ts';

export interface BatchDeps {
  clock: Clock;
  log: Log;
  queue: KeyedQueue;
  subscription: Subscription;
  toDeadLetter: DeliveryDeps['toDeadLetter'];
  /** The batches under way, so that closing the consumer can tell them all to leave. */
  underWay: Set<Stopper>;
  closing: AbortSignal;
}

const BEAT_MS = 1_000;
/** Under the rebalance timeout: handlers get this long to finish before the group goes on without them. */
const GRACE_MS = 20_000;

/** Messages of one batch that are held as work at a time: enough for every key, little enough for the young heap. */
const WINDOW = 256;

/**
 * Works one batch off, keys side by side. Offsets are resolved as far as everything before them is done, so a crash
 * repeats messages and never skips one. Ends early, with what is resolved, when the group rebalances or the consumer
 * closes.
 */
export async function workOff(payload: EachBatchPayload, deps: BatchDeps): Promise<void> {
  if (deps.closing.aborted) return;
  const stop = createStopper(deps.clock, GRACE_MS);
  let failure: { cause: unknown } | undefined;
  const giveUp = (cause: unknown): void => {
    failure ??= { cause };
    stop.leave();
    deps.queue.drop((key) => key.startsWith(`${payload.batch.partition}/`));
  };
  stop.leaving.addEventListener('abort', () => giveUp(undefined), { once: true });
  deps.underWay.add(stop);
  const progress = createProgress(payload);
  const beat = setInterval(() => void keepAlive(payload, progress, stop, giveUp, deps.log), BEAT_MS);
  try {
    await handleAll(payload, progress, stop, deps, giveUp);
  } finally {
    clearInterval(beat);
    progress.resolve();
    stop.settle();
    deps.underWay.delete(stop);
  }
  // Nothing thrown and not everything resolved: the consumer is closing, and the rest is read by whoever is next.
  if (failure?.cause) throw causeOf(failure.cause);
}

interface Progress {
  finish(at: number): void;
  /** Tells kafkajs how far everything is done; what it commits is what it was told last. */
  resolve(): void;
}

function createProgress({ batch: { messages }, ...payload }: EachBatchPayload): Progress {
  const done: boolean[] = [];
  let next = 0;
  let resolved = 0;
  return {
    finish: (at) => {
      done[at] = true;
      while (done[next]) next += 1;
    },
    resolve: () => {
      const last = messages[next - 1];
      if (last && next > resolved) payload.resolveOffset(last.offset);
      resolved = next;
    },
  };
}

async function handleAll(
  { batch, ...payload }: EachBatchPayload,
  progress: Progress,
  stop: Stopper,
  deps: BatchDeps,
  giveUp: (cause: unknown) => void,
): Promise<void> {
  const { clock, log, toDeadLetter, queue } = deps;
  const delivery = { clock, log, stop, toDeadLetter, heartbeat: () => payload.heartbeat() };
  let outstanding = 0;
  let wake: () => void = () => undefined;

  const handle = async (raw: KafkaMessage, at: number): Promise<void> => {
    try {
      const message = fromKafka(raw);
      if (isFor(deps.subscription.group, message)) {
        const { key, subscription } = inOrder(message, deps.subscription);
        await queue.add(`${batch.partition}/${key}`, () => deliver(message, subscription, delivery), message.key);
      }
      progress.finish(at);
    } catch (error) {
      if (!stop.leaving.aborted) giveUp(error);
    }
    outstanding -= 1;
    wake();
  };
  for (const [at, raw] of batch.messages.entries()) {
    while (outstanding >= WINDOW) await new Promise<void>((resolve) => (wake = resolve));
    if (stop.leaving.aborted) break;
    outstanding += 1;
    void handle(raw, at);
  }
  while (outstanding > 0) await new Promise<void>((resolve) => (wake = resolve));
}

/**
 * By a timer, because a handler may wait for minutes, and a member that is silent for ten seconds is taken for dead. What
 * is done is committed on the same beat; the rest of the batch follows when it ends.
 */
async function keepAlive(
  payload: EachBatchPayload,
  progress: Progress,
  stop: Stopper,
  giveUp: (cause: unknown) => void,
  log: Log,
): Promise<void> {
  try {
    progress.resolve();
    await payload.heartbeat();
    await payload.commitOffsetsIfNecessary(payload.uncommittedOffsets());
  } catch (error) {
    const { type = '' } = causeOf(error) as { type?: string };
    if (over.has(type)) giveUp(error);
    if (lost.has(type)) stop.lose(new Error('the partition belongs to another consumer now'));
    // Otherwise the broker cannot be reached: kafkajs connects again, and the session may well outlive that.
    log.debug({ err: error }, 'heartbeat failed');
  }
}

const lost = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'FENCED_INSTANCE_ID']);
const over = new Set([...lost, 'REBALANCE_IN_PROGRESS', 'NOT_COORDINATOR_FOR_GROUP']);

/**
 * kafkajs wraps some errors in one that it then takes for final. Unwrapped, UNKNOWN_MEMBER_ID makes it join the group
 * again; wrapped, the consumer ends for good while its process lives on.
 */
export function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause ? error.cause : error;
}
