import type { MigrationStep } from './step.ts';

/** Emails of before are asked about by a backfill alone: there is nothing to rewrite, only an index is made. */
export const classifications: MigrationStep = { title: 'emails wait for their classification, and keep it', parts: [] };
