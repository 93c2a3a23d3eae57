import type { MigrationStep } from './step.ts';

/** Only an index. */
export const waitingByThread: MigrationStep = {
  title: 'emails that wait for their rules are found by thread',
  parts: [],
};
