import type { MigrationStep } from './step.ts';

/** Without a document, an email has not ended any process. */
export const attemptsOutliveProcesses: MigrationStep = {
  title: 'attempts that may end their process are counted',
  parts: [],
};
