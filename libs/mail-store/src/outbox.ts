import type { Outbox, OwesEvents } from './documents/outbox.ts';

/** What a new document owes. */
export function owedAtFirst(events: Outbox, now: Date): OwesEvents {
  return Object.keys(events).length === 0 ? { outbox: {} } : { outbox: events, owedSince: now };
}

export interface OwingUpdate {
  $set?: Record<string, unknown>;
  $min?: { owedSince: Date };
}

/** What a change adds to its own update, so that both are written or neither is. */
export function owedByChange(events: Outbox, now: Date): OwingUpdate {
  const names = Object.keys(events);
  if (names.length === 0) return {};
  return { $set: Object.fromEntries(names.map((name) => [`outbox.${name}`, events[name]])), $min: { owedSince: now } };
}
