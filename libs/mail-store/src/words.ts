import { fold, isAscii } from './fold.ts';

const LONGEST_WORD = 40;
const MOST_WORDS = 1_000;
/**
 * Scripts written without spaces: any two neighbours make a word, so that every part of a phrase is found. By their
 * extensions, since signs such as the mark of a long vowel belong to several scripts.
 */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const UNSPACED = `(?:(?![\\p{P}\\p{S}])[${UNSPACED_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}])`;
const UNSPACED_RUN = new RegExp(`^${UNSPACED}`, 'u');
const WORD = new RegExp(`${UNSPACED}+|(?:(?!${UNSPACED})[\\p{L}\\p{N}])+|\\p{Extended_Pictographic}`, 'gu');

const ASCII_WORD = /[a-z0-9]+/g;

/** The words of a text, each once, in the order they come. One function for what is stored and what is asked. */
export function wordsIn(text: string): string[] {
  const words = new Set<string>();
  for (const word of everyWord(fold(text))) {
    words.add(clip(word));
    if (words.size >= MOST_WORDS) break;
  }
  return [...words];
}

function* everyWord(folded: string): Iterable<string> {
  if (isAscii(folded)) return yield* folded.match(ASCII_WORD) ?? [];
  for (const [run] of folded.matchAll(WORD)) yield* splitRun(run);
}

/** The search words of an email: those of its subject and people, and those that are only in its text. */
export function emailWords(head: string, text: string): string[] {
  const headWords = new Set(wordsIn(head));
  const textWords = wordsIn(text).filter((word) => !headWords.has(word));
  return [...[...headWords].map(headWord), ...textWords.map(textWord)];
}

export const headWord = (word: string) => `h:${word}`;
export const textWord = (word: string) => `t:${word}`;

function splitRun(run: string): string[] {
  if (!UNSPACED_RUN.test(run)) return [run];
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, position) => `${characters[position]}${character}`);
}

function clip(word: string): string {
  return word.length <= LONGEST_WORD ? word : [...word].slice(0, LONGEST_WORD).join('');
}
