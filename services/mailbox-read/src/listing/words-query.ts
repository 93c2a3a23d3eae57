import { ALWAYS, every, NEVER, type Query } from '@postroom/mail-store/filter-tree/query';
import { headWord, textWord } from '@postroom/mail-store/words';

/** Emails that have all the words, wherever; null asks for none in particular. */
export function wordsQuery(words: string[] | null): Query {
  if (words === null) return ALWAYS;
  if (words.length === 0) return NEVER;
  return every(rarestFirst(words).map(anywhere));
}

export function anywhere(word: string): Query {
  return { words: { $in: [headWord(word), textWord(word)] } };
}

// A count would be needed to know the rarest word, but long words are mostly rare. The first word leads the scan.
export function rarestFirst(words: string[]): string[] {
  return [...words].sort((a, b) => b.length - a.length);
}
