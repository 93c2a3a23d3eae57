import type { MigrationStep } from './step.ts';

/** What mailboxes ask of their mail servers is counted across processes; nothing of it is older than a day. */
export const sendTurns: MigrationStep = { title: 'mailboxes take turns at their mail servers', parts: [] };
