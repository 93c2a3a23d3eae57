import { every, NEVER, type Query } from '@postroom/mail-store/filter-tree/query';
import { headWord, textWord } from '@postroom/mail-store/words';
import { anywhere, rarestFirst } from './words-query.ts';

/**
 * The tiers of a search: first the emails with all words in subject and people, then those with at least one word in the
 * text alone. An email stores a word in one of the two forms, so no email is in two tiers. Each tier is a scan of the
 * words' index in the order of dates.
 */
export function searchTiers(words: string[]): Query[] {
  if (words.length === 0) return [NEVER];
  const asked = rarestFirst(words);
  const [only] = asked;
  if (asked.length === 1 && only) return [{ words: headWord(only) }, { words: textWord(only) }];
  return [
    { words: { $all: asked.map(headWord) } },
    every([{ words: { $in: asked.map(textWord) } }, ...asked.map(anywhere)]),
  ];
}
