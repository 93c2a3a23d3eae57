import type { MigrationStep } from './step.ts';

/** A send may name the trace that it goes on; those of before have none. */
export const tracedSends: MigrationStep = { title: 'sends go on the trace of what asked for them', parts: [] };
