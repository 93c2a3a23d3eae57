import type { MigrationStep } from './step.ts';

/** The repeat of an edit that an earlier version made is refused, as before. */
export const draftReplacements: MigrationStep = {
  title: 'repeated edits of a draft get their first answer',
  parts: [],
};
