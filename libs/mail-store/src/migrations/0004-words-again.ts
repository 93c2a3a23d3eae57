import { foldAgain } from './fold-again.ts';
import type { MigrationStep } from './step.ts';

/** "\u00df" and "ss" are one in search words, and more scripts without spaces fall into pairs. */
export const wordsAgain: MigrationStep = {
  title: 'emails are found by words folded as they are now',
  parts: [foldAgain],
};
