import type { MigrationStep } from './step.ts';

/** Records of idempotency keys name their operation. Older ones have other ids, are never found again, and expire. */
export const operations: MigrationStep = { title: 'idempotency records name their operation', parts: [] };
