import type { MigrationStep } from './step.ts';

/** Forwards take attachments along: of mail without a provider the messages are kept for a while. There are none from before. */
export const originals: MigrationStep = { title: 'messages with attachments are kept for their forwards', parts: [] };
