import type { MigrationStep } from './step.ts';

/** An attempt without a lease is of the version before, and is taken for ended. */
export const attemptLeases: MigrationStep = { title: 'attempts have a lease', parts: [] };
