import type { MigrationStep } from './step.ts';

/** An email of the version before says nothing of its sender's authentication. */
export const senderAuthentication: MigrationStep = {
  title: 'emails keep the authentication of their sender',
  parts: [],
};
