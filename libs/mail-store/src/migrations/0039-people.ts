import type { MigrationStep } from './step.ts';

/** There are no people before this, and nothing else knows of them. */
export const people: MigrationStep = { title: 'people sign in and are members of workspaces', parts: [] };
