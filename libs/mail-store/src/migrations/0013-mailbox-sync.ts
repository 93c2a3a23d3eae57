import type { MigrationStep } from './step.ts';

/** Mailboxes tell how their sync goes, and owe the word of it: fields that read as empty where they are not, and an index. */
export const mailboxSync: MigrationStep = { title: 'mailboxes tell how their sync goes', parts: [] };
