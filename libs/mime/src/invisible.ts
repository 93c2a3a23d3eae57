/** Characters without width, direction marks, variants and tags: they hide text from people and words from searches. */
const INVISIBLE =
  /\u034f|\u17b4|\u17b5|[\u00ad\u061c\u115f\u1160\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\ufe00-\ufe0e]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
/** Joiners shape letters of these scripts and emoji; behind any other they are filling. */
const JOINED = [
  'Arabic',
  'Syriac',
  'Nko',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
]
  .concat(['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'])
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const LOOSE_JOINERS = new RegExp(
  String.raw`(?<![${JOINED}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d](?=[\s\u200c\u200d]|$)|(?<![\p{Extended_Pictographic}#*0-9])\ufe0f`,
  'gu',
);

/** The text as people see it. A space in the place of such a character would part a word. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '').replace(LOOSE_JOINERS, '');
}
