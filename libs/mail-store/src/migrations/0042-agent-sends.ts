import type { MigrationStep } from './step.ts';

/** A send without an agent is of a person or a rule. */
export const agentSends: MigrationStep = { title: 'sends by agents wait for approval and are counted', parts: [] };
