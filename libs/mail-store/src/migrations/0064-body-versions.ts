import type { MigrationStep } from './step.ts';

/** The body of a draft that a mail program saved before has no version, and neither has its email: both are of one save. In a rolling
 * update an earlier process stores a body without one; it is fetched from the provider, or replaced by the next save. */
export const bodyVersions: MigrationStep = { title: 'the body of a saved draft names its version', parts: [] };
