import type { MigrationStep } from './step.ts';

/** A backfill names the call that asked for it; those of before name none. */
export const backfillsInTurn: MigrationStep = { title: 'of each mailbox one backfill waits', parts: [] };
