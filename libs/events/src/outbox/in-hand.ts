import type { Log } from '@postroom/runtime/log';
import type { EncodedEvent } from '../event.ts';
import type { OutboxStore, PendingEvent } from './outbox-store.ts';

/**
 * Events that the bus of this process has and that a crash would lose. Each stays in the outbox of its document until
 * every group has handled it, so the next process publishes it again.
 */
export interface EventsInHand {
  add(events: readonly PendingEvent[]): void;
  has(event: Pick<EncodedEvent, 'id'>): boolean;
  /** No crash loses the event any more: it is removed from its outbox soon. */
  safe(id: string): void;
  /** Resolves when every safe event is removed from its outbox; where the database refuses, they stay for the next call. */
  flush(): Promise<void>;
}

interface Deps {
  store: Pick<OutboxStore, 'markPublished'>;
  context: { log: Log };
}

export function createEventsInHand({ store, context: { log } }: Deps): EventsInHand {
  const held = new Map<string, PendingEvent>();
  const done = new Set<PendingEvent>();
  let flushing: Promise<void> | undefined;

  const removeDone = async (): Promise<void> => {
    try {
      while (done.size > 0) {
        const batch = [...done];
        await store.markPublished(batch);
        for (const pending of batch) {
          done.delete(pending);
          held.delete(pending.event.id);
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'handled events stay in their outbox; the next sweep removes them');
    }
  };
  // The events that become safe while one command runs share the next command.
  const flush = (): Promise<void> => {
    flushing ??= removeDone().finally(() => (flushing = undefined));
    return flushing;
  };

  return {
    add: (events) => {
      for (const pending of events) held.set(pending.event.id, pending);
    },
    has: ({ id }) => held.has(id),
    safe: (id) => {
      const pending = held.get(id);
      if (!pending) return;
      done.add(pending);
      void flush();
    },
    flush,
  };
}
