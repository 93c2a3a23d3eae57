import type { MigrationStep } from './step.ts';

export const oauthGrants: MigrationStep = { title: 'people let OAuth clients in by grants', parts: [] };
