import { dropIndexes, type MigrationStep } from './step.ts';

/** The versions that read pending events by this index are too old to upgrade from. */
export const noIndexOfOldEvents: MigrationStep = {
  title: 'emails have no index for the events of schema versions before 30',
  parts: [dropIndexes('emails', 'owed')],
};
