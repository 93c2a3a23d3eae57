import { bounds } from '@postroom/contract/bounds';
import { codePoints } from '@postroom/contract/text';
import { wordsIn } from '@postroom/mail-store/words';

/** Null asks for everything, an empty list for nothing: what was asked for has no word that an email could have. */
type AskedWords = string[] | null;

/** The listing's keyword filter passes over terms that are too short. */
export function wordsOfKeywords(search: string): AskedWords {
  const terms = search.split(/\s+/).filter((term) => codePoints(term) >= bounds.search.min);
  return terms.length === 0 ? null : wordsIn(terms.join(' '));
}
