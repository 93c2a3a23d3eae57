import { repeat } from '@postroom/runtime/repeat';
import { createFreshEvents } from './fresh-events.ts';
import { createEventsInHand } from './in-hand.ts';
import type { OutboxEntry } from './outbox-store.ts';
import { byTopic, type PublishDeps } from './publish-pending.ts';
import { createSweeper } from './sweep.ts';

export interface Relay {
  /** Events that were just written are published soon, together with what else comes in the same moment. Returns at once. */
  publishSoon(written: readonly OutboxEntry[]): void;
  /** Publishes all events that wait now, of every process. For tests. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

interface RelayDeps extends PublishDeps {
  sweepMs?: number;
}

const SWEEP_MS = 5_000;
const MOST_COUNTED = 10_000;

/**
 * Publishes the pending events of one collection, then removes them from their documents. Stopped anywhere in between it publishes
 * again, under the same ids. Every process runs one: it is told of what the process itself wrote, and sweeps up what
 * others wrote and never published.
 */
export function createRelay(deps: RelayDeps): Relay {
  const { context, sweepMs = SWEEP_MS } = deps;
  let isClosing = false;
  const inHand = createEventsInHand(deps);
  const state = { ...deps, inHand };
  const fresh = createFreshEvents(state);
  const sweeper = createSweeper(state);

  const { name: collection } = deps.store;
  context.metrics?.gauge(
    'postroom_events_owed',
    'Documents with an event that a crash would still lose, counted to 10,000',
    async () => [{ value: await deps.store.count(MOST_COUNTED), labels: { collection } }],
  );
  const { clock, log } = context;
  const name = 'the sweep for pending events';
  const sweeping = repeat(sweeper.sweep, { name, everyMs: sweepMs, firstAfterMs: sweepMs, clock, log });

  return {
    publishSoon: (written) => {
      if (isClosing) return;
      for (const [topic, pending] of byTopic(written)) fresh.add(topic, pending);
    },
    drain: async () => {
      await fresh.idle();
      await sweeper.everything();
    },
    close: async () => {
      isClosing = true;
      await sweeping.close();
      await Promise.all([fresh.idle(), sweeper.idle()]);
      await inHand.flush();
    },
  };
}
