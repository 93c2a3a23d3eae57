import type { MigrationStep } from './step.ts';

/** What leaves has a collection of its own; there is none of it from before. */
export const sends: MigrationStep = { title: 'mail that leaves is kept with its state', parts: [] };
