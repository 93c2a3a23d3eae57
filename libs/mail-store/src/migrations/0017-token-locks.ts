import type { MigrationStep } from './step.ts';

/** Mailboxes say who renews their access token, and which of them it is: a field that reads as empty where it is not. */
export const tokenLocks: MigrationStep = { title: 'mailboxes say who renews their access token', parts: [] };
