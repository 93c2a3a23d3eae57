import type { MigrationStep } from './step.ts';

/** Where an earlier version kept the verdicts, the model writes the text again at each repeat, as before. */
export const keptReplies: MigrationStep = { title: 'the text of a reply is kept with its verdicts', parts: [] };
