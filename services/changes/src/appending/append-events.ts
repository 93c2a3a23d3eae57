import type { Bus, DeadLetters } from '@postroom/events/bus';
import { openEventConsumer } from '@postroom/events/consume-events';
import type { GroupOf } from '@postroom/events/event-table';
import type { ServiceContext } from '@postroom/runtime/service';
import type { FeedStore } from '../feed/change-store.ts';
import type { ChangeWaiters } from '../watching/change-waiters.ts';
import { toNewChange, FEED_TYPES, type FeedType } from './new-change.ts';
import { createAppend } from './append.ts';
import { createBatches } from './batches.ts';
import type { EmailStateStore } from './email-state-store.ts';

export { FEED_TYPES };

interface Deps {
  changes: FeedStore;
  emails: EmailStateStore;
  changeWaiters: Pick<ChangeWaiters, 'tell'>;
  bus: Bus;
  deadLetters: DeadLetters;
  concurrency: number;
}

/** Consumes every announced event, appends it to the feed of its workspace and wakes those who wait there. */
export async function appendEvents({ changes, emails, changeWaiters, ...consuming }: Deps, context: ServiceContext) {
  const { clock, lifecycle, metrics } = context;
  const delay = metrics.histogram('postroom_changes_delay_seconds', 'From a change to its place in the feed');
  /** Events that are being appended, each with its time, the oldest first as a rule. */
  const open = new Set<{ since: number }>();
  metrics.gauge(
    'postroom_changes_oldest_seconds',
    'Age of the oldest event that this pod has and has not appended',
    () => Math.max(0, clock.now() - Math.min(clock.now(), ...[...open].map(({ since }) => since))) / 1_000,
  );
  const append = createAppend({ changes, emails, clock });
  const add = createBatches(async (workspaceId, events) => {
    const seq = await append(workspaceId, events);
    changeWaiters.tell(workspaceId, seq);
    for (const { createdAt } of events) delay.record(Math.max(0, clock.now() - createdAt.getTime()) / 1_000);
    return seq;
  });
  const addWatched: typeof add = async (workspaceId, change) => {
    const event = { since: change.createdAt.getTime() };
    open.add(event);
    await add(workspaceId, change).finally(() => open.delete(event));
  };
  // A consumer takes half a second to come and to go on a broker, and none waits for another.
  const consumers = await Promise.all(
    FEED_TYPES.map((type) => consume(type, { ...consuming, add: addWatched }, context)),
  );
  lifecycle.add('consumers of the feed', () => Promise.all(consumers.map((consumer) => consumer.close())));
}

interface Consuming {
  bus: Bus;
  deadLetters: DeadLetters;
  add: ReturnType<typeof createBatches>;
  concurrency: number;
}

function consume<T extends FeedType>(
  type: T,
  { bus, add, deadLetters, concurrency }: Consuming,
  context: ServiceContext,
) {
  return openEventConsumer(bus, context, {
    group: 'changes' as GroupOf<T>,
    type,
    deadLetters,
    concurrency,
    // Emails do not wait for each other, so that many are one batch.
    orderBy: (event) => toNewChange(event).aspects[0] ?? event.id,
    handle: (event) => add(event.workspaceId, toNewChange(event)),
  });
}
