import type { OwesEvents } from '../documents/outbox.ts';

/** Spread into the schema of a collection whose documents owe events. */
export const owesEvents = {
  outbox: Object,
  owedSince: Date,
  owedOrder: Number,
  outboxClaim: String,
} satisfies Record<keyof OwesEvents, unknown>;
