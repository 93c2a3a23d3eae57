import { ALWAYS, every, NEVER, type Query } from '@postroom/mail-store/filter-tree/query';
import { headWord, textWord } from '@postroom/mail-store/words';

/** Emails that have all the words, wherever; null asks for none in particular. */
export function wordsQuery(words: string[] | null): Query {
  if (words === null) return ALWAYS;
  if (words.length === 0) return NEVER;
  return every(rarestFirst(words).map(anywhere));
}

/**
 * The tiers of a search. First the emails with all words in subject and people; then those that have them all, at
 * least one in the text alone. A word stands in an email as one or the other and never as both, so no email is in
 * two tiers, and each tier is a scan of the words' index in order of date.
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

function anywhere(word: string): Query {
  return { words: { $in: [headWord(word), textWord(word)] } };
}

// Nobody knows which word is rare without counting, but long ones mostly are; the first leads through the index.
function rarestFirst(words: string[]): string[] {
  return [...words].sort((a, b) => b.length - a.length);
}
