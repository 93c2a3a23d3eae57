import type { Bus } from '@postroom/events/bus';
import type { OwedEvent } from '@postroom/mail-store/documents/email';
import type { ServiceContext } from '@postroom/runtime/service';
import { toMessage } from './event-message.ts';
import type { OwedStore, Owing } from './owed-store.ts';

export interface Relay {
  /** There is something to publish: of these emails, or anywhere. Returns at once. */
  poke(emailIds?: readonly string[]): void;
  /** Publishes everything that is owed now. For tests and for closing. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Named places between the steps, where a test can stop the relay as a crash would. */
export type Step = 'found' | 'published' | 'settled';

export interface RelayMeans {
  store: OwedStore;
  bus: Bus;
  context: Pick<ServiceContext, 'clock' | 'log' | 'metrics'>;
  sweepMs?: number;
  at?: (step: Step) => Promise<void> | void;
}

const BATCH = 500;
const SWEEP_MS = 5_000;
/** Younger events are left to the process that wrote them: it was told, and is publishing them now. */
const GRACE_MS = 2_000;

interface Entry {
  owing: Owing;
  event: OwedEvent;
}

/**
 * Publishes owed events, then takes them off their emails. Stopped anywhere in between it publishes them again, under
 * the same ids; several processes at once do no more harm than that. A sweep finds what nobody was told of.
 */
export function createRelay(means: RelayMeans): Relay {
  const { store, context, sweepMs = SWEEP_MS } = means;
  const stop = new AbortController();
  const named = new Set<string>();
  let everything = false;
  let running: Promise<void> | undefined;

  const round = async (): Promise<void> => {
    while (named.size > 0) {
      const ids = [...named].slice(0, BATCH);
      for (const id of ids) named.delete(id);
      await publishAll(means, await store.ofEmails(ids));
    }
    if (!everything) return;
    everything = false;
    await publishEverything(means, 0);
  };
  const run = (): Promise<void> => {
    running ??= (async () => {
      try {
        while (named.size > 0 || everything) await round();
      } finally {
        running = undefined;
      }
    })();
    return running;
  };
  const runQuietly = () =>
    run().catch((error: unknown) => context.log.warn({ err: error }, 'owed events stay for the sweep'));

  const sweeping = sweep(means, stop.signal, sweepMs);
  return {
    poke: (emailIds) => {
      if (stop.signal.aborted || emailIds?.length === 0) return;
      if (emailIds) for (const id of emailIds) named.add(id);
      else everything = true;
      // A turn later, so that the pokes of one busy moment become one batch.
      if (!running) setImmediate(() => void runQuietly());
    },
    drain: async () => {
      everything = true;
      await run();
    },
    close: async () => {
      stop.abort();
      await Promise.allSettled([sweeping, running]);
    },
  };
}

async function sweep(means: RelayMeans, signal: AbortSignal, everyMs: number): Promise<void> {
  const { clock, log } = means.context;
  while (!signal.aborted) {
    try {
      await clock.sleep(everyMs, signal);
      await publishEverything(means, GRACE_MS);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the sweep for owed events failed; the next one tries again');
    }
  }
}

async function publishEverything(means: RelayMeans, graceMs: number): Promise<void> {
  const before = means.context.clock.now() - graceMs;
  for (;;) {
    const found = await means.store.everyWorkspaces(BATCH);
    const ripe = found.filter(({ owed }) => owed.every(({ occurredAt }) => occurredAt.getTime() <= before));
    if (ripe.length > 0) await publishAll(means, ripe);
    // A batch of young ones only is somebody else's work; it is looked at again when the next sweep comes.
    if (found.length < BATCH || ripe.length === 0) return;
  }
}

async function publishAll(
  { store, bus, context, at = () => undefined }: RelayMeans,
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
  if (published.length > 0)
    await store.settle(
      [...new Set(published.map(({ owing }) => owing._id))],
      published.map(({ event }) => event.id),
    );
  await at('settled');
  await store.lowerFlags(found.map(({ _id }) => _id));
  if (failures.length > 0) throw new Error('some owed events could not be published', { cause: failures[0] });
  context.log.debug({ events: published.length }, 'owed events published');
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
