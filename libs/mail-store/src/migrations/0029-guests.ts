import type { MigrationStep } from './step.ts';

/** A lease may name who else is connected to its mailbox; those of before name nobody. */
export const guests: MigrationStep = { title: 'leases count the connections that read single messages', parts: [] };
