import type { EventType } from '../event-table.ts';
import type { PendingEvent } from './outbox-store.ts';
import { OUTBOX_CLAIM_MS, publishPending, type RelayState } from './publish-pending.ts';

/** Events that this very process wrote, waiting to be published. */
interface FreshEvents {
  add(topic: EventType, pending: readonly PendingEvent[]): void;
  /** Resolves when all of them are published or left to the sweep. */
  idle(): Promise<void>;
}

export const BATCH = 500;
/** More than this is not kept in memory while a topic is slow: the database has it. */
const MOST_IN_LINE = 5_000;

interface Fresh {
  pending: PendingEvent;
  until: number;
}

/** Each topic has a line of its own, so that one that fails or is slow holds up nobody but itself. */
export function createFreshEvents(deps: RelayState): FreshEvents {
  const { clock, log } = deps.context;
  const { leaseMs = OUTBOX_CLAIM_MS } = deps;
  const lines = new Map<EventType, Fresh[]>();
  const running = new Map<EventType, Promise<void>>();

  /** Past its lease an event is the sweep's, here or in another process. */
  const take = (topic: EventType): PendingEvent[] => {
    const batch = (lines.get(topic) ?? []).splice(0, BATCH);
    return batch.filter(({ until }) => until > clock.now()).map(({ pending }) => pending);
  };
  const workOff = async (topic: EventType): Promise<void> => {
    // In the next iteration of the event loop, so that the words of one busy moment become one batch.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while ((lines.get(topic) ?? []).length > 0) {
        const batch = take(topic);
        if (batch.length > 0) await publishPending(deps, topic, batch);
      }
    } catch (error) {
      lines.delete(topic);
      log.warn({ err: error, topic }, 'events are not published; the next sweep publishes them');
    }
    running.delete(topic);
  };

  return {
    add: (topic, pending) => {
      const line = lines.get(topic) ?? [];
      lines.set(topic, line);
      if (line.length + pending.length > MOST_IN_LINE) return;
      const until = clock.now() + leaseMs;
      line.push(...pending.map((one) => ({ pending: one, until })));
      if (!running.has(topic)) running.set(topic, workOff(topic));
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
