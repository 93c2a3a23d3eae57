import type { Outbox, HasOutbox } from './documents/outbox.ts';

/** The outbox fields of a new document; `position` is the document's index in its batch. */
export function firstOutbox(events: Outbox, now: Date, position = 0): HasOutbox {
  if (Object.keys(events).length === 0) return { outbox: {} };
  return { outbox: events, owedSince: now, owedOrder: outboxOrderOf(now, position) };
}

const POSITIONS = 1_000;

/** Time and position as one number. It keeps their order when a claim gives many documents the same `owedSince`. */
export function outboxOrderOf(at: Date, position = 0): number {
  return at.getTime() * POSITIONS + Math.min(position, POSITIONS - 1);
}

/** A new event ends the claim of its document: what the claimer found there is not all of it any more. */
export const CLAIM_ENDED = { outboxClaim: '' } as const;

interface OutboxUpdate {
  $set?: Record<string, unknown>;
  $min?: { owedSince: Date; owedOrder: number };
}

/** A change adds this to its own update, so that the change and its events are one write. */
export function outboxUpdate(events: Outbox, now: Date): OutboxUpdate {
  const names = Object.keys(events);
  if (names.length === 0) return {};
  return {
    $set: { ...Object.fromEntries(names.map((name) => [`outbox.${name}`, events[name]])), ...CLAIM_ENDED },
    $min: { owedSince: now, owedOrder: outboxOrderOf(now) },
  };
}
