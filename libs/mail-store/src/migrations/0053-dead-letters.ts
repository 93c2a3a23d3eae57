import type { MigrationStep } from './step.ts';

export const deadLetters: MigrationStep = { title: 'events that a consumer gave up are kept', parts: [] };
