/** Tokenizers differ; four Latin characters to a token, and one of any other script, errs on the side of too many. */
const LATIN_SHARE = 0.25;
const LAST_LATIN = 0x24f;

/** The beginning of a text that fits into so many tokens, never half of a character. */
export function cutToTokens(text: string, most: number): string {
  let tokens = 0;
  let end = 0;
  for (const character of text) {
    tokens += (character.codePointAt(0) as number) <= LAST_LATIN ? LATIN_SHARE : 1;
    if (tokens > most) return copyOf(text.slice(0, end));
    end += character.length;
  }
  return text;
}

/** A piece of a text keeps the whole of it in memory. */
function copyOf(piece: string): string {
  return Buffer.from(piece, 'utf16le').toString('utf16le');
}
