const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi;
const HIGHEST = 0x10_ff_ff;

/** A string, an address without quotes, or a comment: whatever looks like another of these inside is none. */
const PIECE =
  /"(?:[^"\\\n]|\\[^])*\\?(?:"|\n|$)|'(?:[^'\\\n]|\\[^])*\\?(?:'|\n|$)|(?<![\w-])url\((?!\s*["'])(?:[^)\\]|\\[^])*\\?(?:\)|$)|\/\*[^]*?(?:\*\/|$)/gi;
const SEPARATORS = /[;:{}!]/g;

/** Declarations as a browser reads them: no comments, characters in place of their escapes, and nothing that strings separate. */
export function readCss(css: string): string {
  const bare = css.replace(PIECE, (piece) => (piece.startsWith('/*') ? '\t' : piece.replace(SEPARATORS, '\ufffd')));
  return bare.includes('\\')
    ? bare.replace(ESCAPE, (_all, digits?: string, one = '') =>
        wordPart(digits === undefined ? one : characterOf(digits)),
      )
    : bare;
}

/** An escaped separator separates nothing: it is a part of its word. */
const wordPart = (character: string): string => (/[;:{}!\s]/.test(character) ? '\ufffd' : character);

function characterOf(digits: string): string {
  const code = Number.parseInt(digits, 16);
  return code === 0 || code > HIGHEST ? '\ufffd' : String.fromCodePoint(code);
}
