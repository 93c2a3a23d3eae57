import type { MigrationStep } from './step.ts';

/** The model writes the text again at each repeat of an email whose verdicts an earlier version kept. */
export const keptReplies: MigrationStep = { title: 'the text of a reply is kept with its verdicts', parts: [] };
