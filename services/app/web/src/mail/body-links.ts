interface TextPiece {
  text: string;
  /** The address, where the piece is one. */
  href?: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]{1,2000}/g;
const TRAILING = /[.,;:!?)\]}'»”]+$/;

/** Plain text with its addresses told apart; a sign that ends a sentence is no part of one. */
export function linkPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const href = found.replace(TRAILING, '');
    if (!URL.canParse(href)) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: href, href });
    from = index + href.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}
