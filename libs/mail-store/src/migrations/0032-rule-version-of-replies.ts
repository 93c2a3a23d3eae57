import { dropIndexes, type MigrationStep } from './step.ts';

/** A reply without the version of its rule, as the version before writes it, is sent whatever its rule has become. */
export const ruleVersionOfReplies: MigrationStep = {
  title: 'replies know the version of their rule',
  parts: [dropIndexes('sends', 'draft')],
};
