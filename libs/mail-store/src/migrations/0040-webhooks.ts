import type { MigrationStep } from './step.ts';

export const webhooks: MigrationStep = { title: 'webhooks and their deliveries are stored', parts: [] };
