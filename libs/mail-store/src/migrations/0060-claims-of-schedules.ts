import type { MigrationStep } from './step.ts';

/** A schedule that an earlier version wrote names no claim, and the next claim of its send writes over it. */
export const claimsOfSchedules: MigrationStep = {
  title: 'drafts name the claim of the send that wrote their schedule',
  parts: [],
};
