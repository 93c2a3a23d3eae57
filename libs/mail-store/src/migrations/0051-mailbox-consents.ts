import type { MigrationStep } from './step.ts';

export const mailboxConsents: MigrationStep = { title: 'people connect mailboxes by OAuth consent', parts: [] };
