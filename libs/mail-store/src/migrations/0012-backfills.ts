import type { MigrationStep } from './step.ts';

/** A collection of its own: only its indexes are made. */
export const backfills: MigrationStep = { title: 'backfills are jobs', parts: [] };
