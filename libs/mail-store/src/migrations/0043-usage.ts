import type { MigrationStep } from './step.ts';

export const usage: MigrationStep = { title: 'calls of keys and of the model are counted', parts: [] };
