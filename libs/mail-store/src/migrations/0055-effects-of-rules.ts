import type { MigrationStep } from './step.ts';

/** An index lists the replies and forwards of an email. Emails of earlier versions say nothing of the effects on them. */
export const effectsOfRules: MigrationStep = { title: 'emails name the effects of rules on them', parts: [] };
