import type { Charset } from './letter.ts';

/** The Cyrillic letters and signs that do not follow the alphabet's own order in windows-1251. */
const CYRILLIC_EXTRA: Readonly<Record<string, number>> = {
  ё: 0xb8,
  Ё: 0xa8,
  '—': 0x97,
  '«': 0xab,
  '»': 0xbb,
  '№': 0xb9,
};

const encoders: Readonly<Record<Charset, (character: string) => number | undefined>> = {
  'utf-8': () => undefined,
  'iso-8859-1': (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point <= 0xff ? point : undefined;
  },
  'windows-1251': (character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x80) return point;
    if (point >= 0x410 && point <= 0x44f) return point - 0x410 + 0xc0;
    return CYRILLIC_EXTRA[character];
  },
};

export interface Encoded {
  bytes: Buffer;
  charset: Charset;
}

/** Text in the wished charset, or in UTF-8 where that lacks one of the letters. */
export function encodeText(text: string, wished: Charset): Encoded {
  if (wished === 'utf-8') return { bytes: Buffer.from(text), charset: 'utf-8' };
  const bytes = Array.from(text, encoders[wished]);
  if (bytes.includes(undefined)) return { bytes: Buffer.from(text), charset: 'utf-8' };
  return { bytes: Buffer.from(bytes as number[]), charset: wished };
}
