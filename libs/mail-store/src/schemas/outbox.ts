import type { HasOutbox } from '../documents/outbox.ts';

/** Spread into the schema of a collection whose documents hold unpublished events. */
export const outboxFields = {
  outbox: Object,
  owedSince: Date,
  owedOrder: Number,
  outboxClaim: String,
} satisfies Record<keyof HasOutbox, unknown>;
