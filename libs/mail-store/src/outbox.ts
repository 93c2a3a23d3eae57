import type { Outbox, HasOutbox } from './documents/outbox.ts';

/** What a new document owes; its position is that in the batch with which it comes. */
export function firstOutbox(events: Outbox, now: Date, position = 0): HasOutbox {
  if (Object.keys(events).length === 0) return { outbox: {} };
  return { outbox: events, owedSince: now, owedOrder: orderOf(now, position) };
}

const POSITIONS = 1_000;

/** One number, by which a moment keeps its place when all that was tried together is stamped alike. */
export function orderOf(at: Date, position = 0): number {
  return at.getTime() * POSITIONS + Math.min(position, POSITIONS - 1);
}

export interface OutboxUpdate {
  $set?: Record<string, unknown>;
  $min?: { owedSince: Date; owedOrder: number };
}

/** What a change adds to its own update, so that both are written or neither is. */
export function outboxUpdate(events: Outbox, now: Date): OutboxUpdate {
  const names = Object.keys(events);
  if (names.length === 0) return {};
  return {
    $set: Object.fromEntries(names.map((name) => [`outbox.${name}`, events[name]])),
    $min: { owedSince: now, owedOrder: orderOf(now) },
  };
}
