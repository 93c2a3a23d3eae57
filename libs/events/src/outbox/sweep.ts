import { resultWithin } from '@postroom/runtime/within';
import type { EventType } from '../event-table.ts';
import { BATCH } from './fresh-events.ts';
import type { PendingEvent, OutboxEntry } from './outbox-store.ts';
import { byTopic, OUTBOX_CLAIM_MS, publishPending, type RelayState } from './publish-pending.ts';

/** One topic delays the others for so long at most. */
const LONGEST_WAIT_MS = 1_000;
/** After so many batches of which nothing could be published, the rest waits for the next sweep. */
const MOST_FRUITLESS = 10;
/** A document whose events are all in hand is claimed again after so long; the next process releases it at its start. */
const HELD_MS = 10 * 60_000;

interface Sweeper {
  /** Publishes events that nobody has touched for a lease, because their writers died or failed. */
  sweep(): Promise<void>;
  /** Publishes all pending events, however new; throws when it could not publish some of them. */
  everything(): Promise<void>;
  idle(): Promise<void>;
}

/**
 * A claimed document counts as touched, so it goes behind all other documents that wait. So a failing topic or an event
 * that is too new never blocks the others.
 */
export function createSweeper(deps: RelayState): Sweeper {
  const { context, leaseMs = OUTBOX_CLAIM_MS } = deps;
  const { clock } = context;
  const busy = new Map<EventType, Promise<boolean>>();
  const { begin, claim } = claiming(deps);

  /** True when some events were published within the time limit. A topic that is still publishing is skipped. */
  const publishSome = async (found: readonly OutboxEntry[]): Promise<boolean> => {
    let isSome = false;
    const begun = [...byTopic(found)].filter(([topic]) => !busy.has(topic));
    const attempts = begun.map(([topic, pending]) => {
      const attempt = publishTopic(deps, topic, pending).finally(() => busy.delete(topic));
      busy.set(topic, attempt);
      return attempt.then((isPublished) => (isSome ||= isPublished));
    });
    await resultWithin({ ms: LONGEST_WAIT_MS, clock }, Promise.all(attempts));
    return isSome;
  };

  return {
    sweep: async () => {
      const before = new Date(clock.now() - leaseMs);
      await begin(before);
      for (let fruitless = 0; fruitless < MOST_FRUITLESS;) {
        const found = await claim(before);
        if (found.length === 0) return;
        fruitless = found.every(isHeld) || (await publishSome(found)) ? 0 : fruitless + 1;
      }
    },
    everything: async () => {
      await begin(clock.date());
      for (;;) {
        const found = await claim(clock.date());
        const topics = [...byTopic(found)];
        if (topics.length === 0 && !found.some(isHeld)) return;
        const outcomes = await Promise.allSettled(
          topics.map(([topic, pending]) => publishPending(deps, topic, pending)),
        );
        const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
        if (failed) throw failed.reason;
      }
    },
    idle: async () => void (await Promise.all(busy.values())),
  };
}

/** Publishes the events of one topic. False when it could not. */
async function publishTopic(deps: RelayState, topic: EventType, pending: readonly PendingEvent[]): Promise<boolean> {
  try {
    await publishPending(deps, topic, pending);
    return true;
  } catch (error) {
    deps.context.log.warn({ err: error, topic }, 'pending events not published; a later sweep tries again');
    return false;
  }
}

const isHeld = ({ events }: OutboxEntry) => Object.keys(events).length === 0;

/** Claims documents for a sweep. Their events that the bus of this process has already are left out. */
function claiming({ store, inHand, context: { clock } }: RelayState) {
  let isFirst = true;
  const withoutHeld = (events: OutboxEntry['events']): OutboxEntry['events'] =>
    Object.fromEntries(Object.entries(events).filter(([, event]) => !inHand.has(event)));
  return {
    begin: async (untouchedSince: Date): Promise<void> => {
      await inHand.flush();
      if (isFirst) await store.release(clock.date(), untouchedSince);
      isFirst = false;
    },
    claim: async (untouchedSince: Date): Promise<OutboxEntry[]> => {
      const found = await store.claim(untouchedSince, clock.date(), BATCH);
      const toPublish = found.map((pending) => ({ ...pending, events: withoutHeld(pending.events) }));
      // A document with another event comes again after a lease: the attempt to publish that one may fail.
      const held = toPublish.filter(isHeld);
      if (held.length > 0) await store.hold(held, new Date(clock.now() + HELD_MS));
      return toPublish;
    },
  };
}
