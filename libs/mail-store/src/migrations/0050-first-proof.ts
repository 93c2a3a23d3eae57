import type { MigrationStep } from './step.ts';

/** At its next sign-in an account of the version before ends the ways in that were there before the provider proved the address. */
export const firstProof: MigrationStep = {
  title: 'a first proof of an address ends what was set up before',
  parts: [],
};
