import type { EventType } from '../event-table.ts';
import { BATCH } from './fresh-events.ts';
import type { OwedEvent, Owing } from './outbox-store.ts';
import { byTopic, LEASE_MS, type PublishDeps, publishOwed } from './publish-owed.ts';

/** How long one topic may keep the sweep from going on with the others. */
const TURN_MS = 1_000;
/** After so many batches of which nothing could be published, the rest waits for the next sweep. */
const MOST_FRUITLESS = 10;

export interface Sweeper {
  /** Publishes what nobody has touched for a lease: the writers of it died, or failed. */
  sweep(): Promise<void>;
  /** Publishes everything that is owed, however fresh; throws when some of it could not be. */
  everything(): Promise<void>;
  idle(): Promise<void>;
}

/**
 * What is claimed counts as touched, and so goes behind everything else that waits: a topic that fails, or events that
 * are too young, never stand before the others.
 */
export function createSweeper(deps: PublishDeps): Sweeper {
  const { store, context, leaseMs = LEASE_MS } = deps;
  const { clock, log } = context;
  const busy = new Map<EventType, Promise<boolean>>();

  const publish = async (topic: EventType, owed: readonly OwedEvent[]): Promise<boolean> => {
    try {
      await publishOwed(deps, topic, owed);
      return true;
    } catch (error) {
      log.warn({ err: error, topic }, 'owed events could not be published; a later sweep tries again');
      return false;
    } finally {
      busy.delete(topic);
    }
  };
  /** True when some of it was published within the turn. A topic that is at work still is passed over. */
  const publishSome = async (found: readonly Owing[]): Promise<boolean> => {
    let isSome = false;
    const begun = [...byTopic(found)].filter(([topic]) => !busy.has(topic));
    const attempts = begun.map(([topic, owed]) => {
      const attempt = publish(topic, owed);
      busy.set(topic, attempt);
      return attempt.then((isPublished) => (isSome ||= isPublished));
    });
    const over = new AbortController();
    const turn = clock.sleep(TURN_MS, over.signal).catch(() => undefined);
    await Promise.race([Promise.all(attempts), turn]);
    over.abort();
    return isSome;
  };

  return {
    sweep: async () => {
      const before = new Date(clock.now() - leaseMs);
      for (let fruitless = 0; fruitless < MOST_FRUITLESS;) {
        const found = await store.claim(before, clock.date(), BATCH);
        if (found.length === 0) return;
        fruitless = (await publishSome(found)) ? 0 : fruitless + 1;
      }
    },
    everything: async () => {
      for (;;) {
        const found = await store.claim(clock.date(), clock.date(), BATCH);
        const topics = [...byTopic(found)];
        if (topics.length === 0) return;
        const outcomes = await Promise.allSettled(topics.map(([topic, owed]) => publishOwed(deps, topic, owed)));
        const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
        if (failed) throw failed.reason;
      }
    },
    idle: async () => void (await Promise.all(busy.values())),
  };
}
