const MARKS = /\p{M}+/gu;
const SPACES = /[\s\u0000-\u001f\u007f]+/gu;

const ASCII = /^[\u0000-\u007f]*$/;

/** Most text is, and costs a fraction then: it has no accents, no forms and no script but one. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * Text as a search sees it: no case, no accents, one space between words. Going through upper case first makes "ß" and
 * "ss" one. The Greek final sigma is undone because lower-casing makes it by position, and a piece of a text must fold
 * to a piece of the folded text.
 */
export function fold(text: string): string {
  if (isAscii(text)) return oneLine(text.toLowerCase());
  const plain = text
    .normalize('NFKD')
    .replace(MARKS, '')
    .replaceAll('ẞ', 'ß')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ');
  return oneLine(plain.normalize('NFKC'));
}

/**
 * Text as filters see it: no case, one space between words, and nothing else, since "año" and "ano" are two words and
 * a filter hides what it matches. Going through upper case first makes "ß" and "ss" one.
 */
export function foldCase(text: string): string {
  if (isAscii(text)) return oneLine(text.toLowerCase());
  const lower = text.normalize('NFC').replaceAll('ẞ', 'ß').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return oneLine(lower.normalize('NFC'));
}

function oneLine(text: string): string {
  return text.replace(SPACES, ' ').trim();
}

/** A block of folded lines: see FoldedPart. */
export function foldLines(lines: Iterable<string>): string {
  const folded = [...lines].map(foldCase).filter((line) => line !== '');
  return folded.length === 0 ? '' : `\n${folded.join('\n')}\n`;
}
