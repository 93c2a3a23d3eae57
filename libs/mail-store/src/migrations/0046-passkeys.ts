import type { MigrationStep } from './step.ts';

/** There are no passkeys before this, and nothing else knows of them. */
export const passkeysOfPeople: MigrationStep = { title: 'people sign in with passkeys', parts: [] };
