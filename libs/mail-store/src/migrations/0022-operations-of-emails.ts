import type { MigrationStep } from './step.ts';

/** Copies of what was sent, and reports on it, name their send; mail of before names none. */
export const operationsOfEmails: MigrationStep = {
  title: 'copies of sends and reports on them name their send',
  parts: [],
};
