import type { MigrationStep } from './step.ts';

/** Bodies that their provider can give again say since when they could go; those of before stay. */
export const evictableBodies: MigrationStep = { title: 'bodies that can be fetched again say so', parts: [] };
