import { withoutInvisible } from '@postroom/mime/invisible';
import { nameLinks } from './links.ts';

/** Halves of a character, too. */
const CONTROL = /[^\P{Cc}\n\t]|\p{Cs}/gu;
const LINE_END = /\r\n?|[\u2028\u2029\u0085]/g;
/** A joiner shapes the letter before it together with the one behind it. At the edge of a word it only hides. */
const EDGE_JOINER =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu;
/** A Markdown link needs its two parts to touch. */
const MARKDOWN_LINK = /\](?=[([])/g;

/** The text of a stranger as data: nothing in it is invisible, controls a terminal or can be clicked. */
export function safeText(text: string): string {
  const shown = withoutInvisible(text.replace(LINE_END, '\n')).replace(CONTROL, '');
  return nameLinks(shown.replace(EDGE_JOINER, '')).replace(MARKDOWN_LINK, '] ');
}

export function safeLine(text: string): string {
  return safeText(text)
    .replace(/[\n\t]+/g, ' ')
    .trim();
}

/** The fields that other calls take back as they are. */
const NAMES_OF_IDS = /^(?:id|messageId|inReplyTo|nextCursor|\w+Ids?)$/;
const PLAIN_ID = /^(?!.*(?::\/\/|www\.))[!-~]*$/i;

/** Every text in a value of JSON as a safe line. Names of fields and numbers are ours. */
export function safeLines(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return NAMES_OF_IDS.test(name) && PLAIN_ID.test(value) ? value : safeLine(value);
  if (Array.isArray(value)) return value.map((item) => safeLines(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, safeLines(inner, field)]));
}
