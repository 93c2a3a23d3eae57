import type { MigrationStep } from './step.ts';

/** How many forwards there were of late is counted by an index; those of before have no mode, and need none. */
export const sendsByKind: MigrationStep = { title: 'sends of one kind are counted', parts: [] };
