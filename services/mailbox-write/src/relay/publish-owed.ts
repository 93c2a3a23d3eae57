import type { Bus } from '@postroom/events/bus';
import type { OwedEvent } from '@postroom/mail-store/documents/email';
import type { ServiceContext } from '@postroom/runtime/service';
import { toMessage } from './event-message.ts';
import type { OwedStore, Owing } from './owed-store.ts';

/** Named places between the steps, where a test can stop the relay as a crash would. */
export type Step = 'found' | 'published' | 'settled';

export interface PublishDeps {
  store: OwedStore;
  bus: Bus;
  context: Pick<ServiceContext, 'clock' | 'log' | 'metrics'>;
  at?: (step: Step) => Promise<void> | void;
}

interface Entry {
  owing: Owing;
  event: OwedEvent;
}

/** Publishes what these emails owe, and only then takes it off them: stopped in between, it is published again. */
export async function publishOwed(
  { store, bus, context, at = () => undefined }: PublishDeps,
  found: readonly Owing[],
): Promise<void> {
  if (found.length === 0) return;
  await at('found');
  const entries = inOrder(found).flatMap((owing) => owing.owed.map((event) => ({ owing, event })));
  const failures: unknown[] = [];
  const published: Entry[] = [];
  for (const [type, ofType] of byType(entries)) {
    try {
      await bus.publish(
        type,
        ofType.map(({ owing, event }) => toMessage(owing, event)),
      );
      published.push(...ofType);
    } catch (error) {
      failures.push(error);
    }
  }
  await at('published');
  await settle(store, found, published, at);
  if (failures.length > 0) throw new Error('some owed events could not be published', { cause: failures[0] });
  context.log.debug({ events: published.length }, 'owed events published');
}

/** Most emails owe one event, and are settled in one step; the others in two, of which the second may come late. */
async function settle(
  store: OwedStore,
  found: readonly Owing[],
  published: readonly Entry[],
  at: NonNullable<PublishDeps['at']>,
): Promise<void> {
  const eventIds = published.map(({ event }) => event.id);
  const single = found.filter(({ owed }) => owed.length === 1).map(({ _id }) => _id);
  const settled = single.length === 0 || eventIds.length === 0 ? 0 : await store.settleSingle(single, eventIds);
  const isDone = settled === found.length;
  const emailIds = found.map(({ _id }) => _id);
  if (!isDone && eventIds.length > 0) await store.settle(emailIds, eventIds);
  await at('settled');
  if (!isDone) await store.lowerFlags(emailIds);
}

/** In the order of arrival, and of sending within one batch, so that a thread's mails are told of in their order. */
function inOrder(found: readonly Owing[]): Owing[] {
  return found.toSorted(
    (a, b) => a.receivedAt.getTime() - b.receivedAt.getTime() || a.date.getTime() - b.date.getTime(),
  );
}

function byType(entries: readonly Entry[]): Map<OwedEvent['type'], Entry[]> {
  const groups = new Map<OwedEvent['type'], Entry[]>();
  for (const entry of entries) groups.set(entry.event.type, [...(groups.get(entry.event.type) ?? []), entry]);
  return groups;
}
