import type { MigrationStep } from './step.ts';

/** Emails of earlier versions say nothing of their list, and patterns then know them by their sender alone. */
export const compiledConditions: MigrationStep = { title: 'patterns answer for the conditions of rules', parts: [] };
