import type { MigrationStep } from './step.ts';

/** What a database without any version needs is its indexes, and those come at the end of every run. */
export const firstSchema: MigrationStep = { title: 'the first schema', parts: [] };
