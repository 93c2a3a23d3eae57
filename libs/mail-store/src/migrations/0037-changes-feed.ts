import type { MigrationStep } from './step.ts';

/** The feed of an existing workspace begins with its first change after this. */
export const changesFeed: MigrationStep = { title: 'changes of a workspace are numbered and kept', parts: [] };
