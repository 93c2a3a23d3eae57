import type { MigrationStep } from './step.ts';

/** The index of what waits in a thread has the whole order, so that the first of a long thread are found without the others. */
export const threadsInOrder: MigrationStep = { title: 'what waits in a thread, in its order', parts: [] };
