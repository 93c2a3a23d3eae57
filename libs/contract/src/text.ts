import type { InclusiveRange } from './bounds.ts';

/** Characters as a person counts them; the language itself would count UTF-16 units. */
export function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Returns a message for the caller when the text is invalid, or undefined. */
export function faultInText(text: string, { min, max }: InclusiveRange): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character';
  if (/\p{Surrogate}/u.test(text)) return 'must be valid Unicode';
  const length = codePoints(text);
  if (length < min) return `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`;
  if (length > max) return `must have at most ${max} characters`;
  return undefined;
}

const HIDDEN_ORDER = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Checks a name of a label, view or rule, trimmed by the caller: one line, visible, no hidden order. */
export function faultInName(name: string, span: InclusiveRange): string | undefined {
  const fault = faultInText(name, span);
  if (fault) return fault;
  if (HIDDEN_ORDER.test(name)) return 'must be one line of text without control characters';
  return VISIBLE.test(name) ? undefined : 'must hold something to see';
}

const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;

/** A reader of mail takes these for other text than they show (RFC 2047). */
export function hasEncodedWord(text: string): boolean {
  return ENCODED_WORD.test(text);
}
