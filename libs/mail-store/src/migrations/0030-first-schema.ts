import type { MigrationStep } from './step.ts';

/** The indexes of the list are all that a new database needs. */
export const firstSchema: MigrationStep = { title: 'first schema', parts: [] };
