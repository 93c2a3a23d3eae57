import type { MigrationStep } from './step.ts';

/** Mailboxes behind IMAP are shared between processes by leases; there are none from before. */
export const mailboxLeases: MigrationStep = { title: 'mailboxes are leased to who syncs them', parts: [] };
