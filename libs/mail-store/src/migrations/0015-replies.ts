import type { MigrationStep } from './step.ts';

/** Only mail from now on says where answers go, and only replies from now on are counted: an index is made. */
export const replies: MigrationStep = { title: 'replies are counted by whom they go to', parts: [] };
