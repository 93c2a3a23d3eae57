import { withoutInvisible } from '@postroom/mime/invisible';

/** Tokenizers differ; four Latin characters to a token, and one of any other script, errs on the side of too many. */
const LATIN_SHARE = 0.25;
const LAST_LATIN = 0x24f;

const shareOf = (character: string): number => ((character.codePointAt(0) as number) <= LAST_LATIN ? LATIN_SHARE : 1);

/** The beginning of a text that fits into so many tokens, never half of a character. */
export function cutToTokens(text: string, most: number): string {
  let tokens = 0;
  let end = 0;
  for (const character of text) {
    tokens += shareOf(character);
    if (tokens > most) return copyOf(text.slice(0, end));
    end += character.length;
  }
  return text;
}

export function tokensOf(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += shareOf(character);
  return tokens;
}

/** The first of them, up to a number and to a sum of their tokens. */
export function firstWithin<T>(
  items: readonly T[],
  most: { count: number; tokens: number },
  textOf: (item: T) => string,
): T[] {
  let left = most.tokens;
  const some = items.slice(0, most.count);
  const end = some.findIndex((item) => (left -= tokensOf(textOf(item))) < 0);
  return end === -1 ? some : some.slice(0, end);
}

/** A piece of a text keeps the whole of it in memory. */
function copyOf(piece: string): string {
  return Buffer.from(piece, 'utf16le').toString('utf16le');
}

const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]+/gu;
const NOT_IN_TEXT = /[^\P{Cc}\n\t]|\p{Surrogate}/gu;

/** Text of a stranger that has to be one line, such as a name. */
export const cleanLine = (text: string): string => withoutInvisible(text).replace(BREAKS, ' ').trim();

/** Text of several lines, of which the invisible characters are removed already. */
export const cleanText = (text: string): string => text.replace(NOT_IN_TEXT, '');
