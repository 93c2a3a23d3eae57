import { ApiError } from '@postroom/errors/api-error';
import { wordsIn } from '@postroom/mail-store/words';

const SHORTEST = 2;
const LONGEST = 200;

/** Null asks for everything, an empty list for nothing: what was asked for has no word that an email could have. */
export type AskedWords = string[] | null;

/** The listing's keyword filter passes over terms that are too short. */
export function wordsOfSearch(search: string): AskedWords {
  const terms = search.split(/\s+/).filter((term) => [...term].length >= SHORTEST);
  return terms.length === 0 ? null : wordsIn(terms.join(' '));
}

/** A search by relevance refuses a question that is too short. */
export function wordsOfQuestion(question: string): string[] {
  const length = [...question.trim()].length;
  if (length < SHORTEST) refuse(`must be at least ${SHORTEST} characters`);
  if (length > LONGEST) refuse(`must be at most ${LONGEST} characters`);
  return wordsIn(question);
}

function refuse(message: string): never {
  throw new ApiError('VALIDATION_FAILED', { details: { q: [message] } });
}
