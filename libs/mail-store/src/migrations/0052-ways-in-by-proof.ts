import type { MigrationStep } from './step.ts';

/** Documents of the version before lack the id, which reads as that of a person whose address no provider has proven. */
export const waysInByProof: MigrationStep = { title: 'ways to sign in belong to a proof of the address', parts: [] };
