import type { MigrationStep } from './step.ts';

/** Lines of the auto-forward log expire. There were none before, since nothing forwarded. */
export const forwardLogs: MigrationStep = { title: 'lines of the auto-forward log expire', parts: [] };
