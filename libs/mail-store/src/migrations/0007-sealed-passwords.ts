import type { MigrationStep } from './step.ts';

/** Mailboxes carry their sealed credentials. Sealing takes a key, which the workspace service has: it does that itself. */
export const sealedPasswords: MigrationStep = { title: 'mailboxes carry sealed credentials', parts: [] };
