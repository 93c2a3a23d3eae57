const MARKS = /\p{M}+/gu;
const SPACES = /[\s\u0000-\u001f\u007f]+/gu;

/** Text as matching sees it: no case, no accents, one space between words. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase().normalize('NFKC').replace(SPACES, ' ').trim();
}

/** A block of folded lines: see FoldedPart. */
export function foldLines(lines: Iterable<string>): string {
  const folded = [...lines].map(fold).filter((line) => line !== '');
  return folded.length === 0 ? '' : `\n${folded.join('\n')}\n`;
}
