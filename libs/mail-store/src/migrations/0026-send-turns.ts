import type { MigrationStep } from './step.ts';

/** Only a collection and an index: turns at mail servers are shared by processes, and replies are counted by mailbox. */
export const sendTurns: MigrationStep = { title: 'mailboxes take turns at their mail servers', parts: [] };
