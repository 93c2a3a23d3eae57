import type { MigrationStep } from './step.ts';

/** Emails of before owe nothing, links of before keep their threads together: only indexes are made. */
export const unsettledEmails: MigrationStep = { title: 'emails say whether their thread is settled', parts: [] };
