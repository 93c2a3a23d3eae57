import type { MigrationStep } from './step.ts';

/** Emails of before have no provider: only indexes are made. */
export const places: MigrationStep = { title: 'emails know their place at their provider', parts: [] };
