const ESCAPE = /\\([0-9a-f]{1,6})\s?/gi;
const HIGHEST = 0x10_ff_ff;

/** Declarations as a browser reads them: no comments, and characters in place of their escapes. */
export function readCss(css: string): string {
  const bare = css.includes('/*') ? withoutComments(css) : css;
  return bare.includes('\\') ? bare.replace(ESCAPE, (_all, digits: string) => characterOf(digits)) : bare;
}

/** An escaped separator separates nothing: it is a part of its word. */
function characterOf(digits: string): string {
  const code = Number.parseInt(digits, 16);
  const character = code === 0 || code > HIGHEST ? '\ufffd' : String.fromCodePoint(code);
  return /[;:{}\s]/.test(character) ? '\ufffd' : character;
}

function withoutComments(css: string): string {
  let kept = '';
  let from = 0;
  for (let start = css.indexOf('/*'); start !== -1; start = css.indexOf('/*', from)) {
    kept += css.slice(from, start);
    const end = css.indexOf('*/', start + 2);
    if (end === -1) return kept;
    from = end + 2;
  }
  return kept + css.slice(from);
}
