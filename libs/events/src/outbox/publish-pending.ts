import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Metrics } from '@postroom/runtime/metrics';
import type { Bus } from '../bus.ts';
import { type EventType, isEventType } from '../event-table.ts';
import type { EventsInHand } from './in-hand.ts';
import type { OutboxStore, PendingEvent, OutboxEntry } from './outbox-store.ts';

/** Named points between the steps, where a test can stop the relay as a crash would. */
export type PublishStep = 'found' | 'published' | 'marked';

export interface PublishDeps {
  store: OutboxStore;
  bus: Pick<Bus, 'publish'>;
  context: { clock: Clock; log: Log; metrics?: Metrics };
  /** An event that nobody touched for so long may be claimed. */
  leaseMs?: number;
  at?: (step: PublishStep) => Promise<void> | void;
}

export const OUTBOX_CLAIM_MS = 5_000;
/** A bus that has not answered by then is taken to have failed. */
const PATIENCE_MS = 120_000;

/** The dependencies and the state of one relay. */
export interface RelayState extends PublishDeps {
  inHand: EventsInHand;
}

/** Publishes events of one topic. Safe events leave their outbox; after an earlier crash they are published again. */
export async function publishPending(
  deps: RelayState,
  topic: EventType,
  pending: readonly PendingEvent[],
): Promise<void> {
  const { store, bus, inHand, at = () => undefined } = deps;
  await at('found');
  const done = new AbortController();
  const messages = pending.toSorted(byMoment).map(({ event }) => event);
  const safe = new Set<string>();
  let onSafe = (id: string): unknown => safe.add(id);
  try {
    await Promise.race([
      bus.publish(topic, messages, (id) => void onSafe(id)),
      keepTouched(deps, pending, done.signal),
    ]);
  } finally {
    done.abort(new Error('published'));
  }
  const [already, later] = parted(pending, ({ event }) => safe.has(event.id));
  inHand.add(later);
  onSafe = inHand.safe;
  await at('published');
  if (already.length > 0) await store.markPublished(already);
  await at('marked');
}

/** While the bus takes its time nobody else may think that these were forgotten. Ends only by throwing. */
async function keepTouched(
  { store, context: { clock, log }, leaseMs = OUTBOX_CLAIM_MS }: PublishDeps,
  pending: readonly PendingEvent[],
  done: AbortSignal,
): Promise<never> {
  const ownerIds = [...new Set(pending.map(({ ownerId }) => ownerId))];
  const end = clock.now() + PATIENCE_MS;
  while (clock.now() < end) {
    await clock.sleep(leaseMs / 3, done);
    await store.touch(ownerIds, clock.date()).catch((error: unknown) => {
      log.debug({ err: error }, 'events not reserved; another process may publish them, too');
    });
  }
  throw new Error(`the bus did not answer within ${PATIENCE_MS} ms`);
}

function parted<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}

/** Orders events by the time of their occurrence, so that the emails of a thread are announced in order. */
function byMoment(one: PendingEvent, other: PendingEvent): number {
  return one.event.occurredAt.getTime() - other.event.occurredAt.getTime() || one.order - other.order;
}

/** The pending events by topic. An event type that this build does not know is left to the build that wrote it. */
export function byTopic(pending: readonly OutboxEntry[]): Map<EventType, PendingEvent[]> {
  const topics = new Map<EventType, PendingEvent[]>();
  for (const { ownerId, events, order = 0 } of pending) {
    for (const [name, event] of Object.entries(events)) {
      if (!isEventType(event.type)) continue;
      const pending = topics.get(event.type) ?? [];
      pending.push({ ownerId, name, event, order });
      topics.set(event.type, pending);
    }
  }
  return topics;
}
