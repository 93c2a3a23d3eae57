import type { MigrationStep } from './step.ts';

/** Only indexes: what is due is taken up by whose it is, and sends are found by state and by message. */
export const sendsByMailbox: MigrationStep = { title: 'mail that leaves is taken up by mailbox', parts: [] };
