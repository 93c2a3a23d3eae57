import type { MigrationStep } from './step.ts';

export const expectedVerdicts: MigrationStep = { title: 'rules keep the verdicts that people expect', parts: [] };
