import type { MigrationStep } from './step.ts';

/** A backfill without the new fields is one that nobody works on, and that is due. */
export const backfillsByLease: MigrationStep = { title: 'backfills are leased, and found by state', parts: [] };
