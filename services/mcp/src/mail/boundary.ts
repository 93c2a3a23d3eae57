import type { Ids } from '@postroom/runtime/ids';

/** A text between a word that nobody could know before, and that is not in it. */
export function fenced(text: string, ids: Ids): { boundary: string; text: string } {
  let boundary = '';
  do boundary = ids('mail').replace('_', '');
  while (text.includes(boundary));
  return { boundary, text: `${boundary}\n${text}\n${boundary}` };
}

/** The first part of a text, of at most so many UTF-16 units, and where the rest begins; no character is parted. */
export function pieceOf(text: string, from: number, length: number): { piece: string; end: number } {
  const end = Math.min(text.length, from + length);
  const parts = end < text.length && isTrail(text.charCodeAt(end)) && !isTrail(text.charCodeAt(end - 1));
  const whole = parts ? end - 1 : end;
  return { piece: text.slice(from, whole), end: whole };
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
