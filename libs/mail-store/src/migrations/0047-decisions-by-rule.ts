import type { MigrationStep } from './step.ts';

/** Its index lists what a rule decided. */
export const decisionsByRule: MigrationStep = { title: 'decisions are found by their rule', parts: [] };
