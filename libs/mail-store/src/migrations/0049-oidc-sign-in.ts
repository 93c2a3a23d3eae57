import type { MigrationStep } from './step.ts';

/** Its index finds the invitation of an address that the provider has verified. */
export const oidcSignIn: MigrationStep = { title: 'people sign in with OpenID Connect', parts: [] };
