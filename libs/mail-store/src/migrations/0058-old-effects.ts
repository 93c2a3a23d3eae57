import type { MigrationStep } from './step.ts';

/** The index is made of the list. */
export const oldEffects: MigrationStep = { title: 'records of effects are found by their age', parts: [] };
