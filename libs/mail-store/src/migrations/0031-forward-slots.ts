import type { MigrationStep } from './step.ts';

/** An index by which the forwards of an hour are counted. Forwards of the version before have no slot, and are not counted. */
export const forwardSlots: MigrationStep = { title: 'slots of forwards', parts: [] };
