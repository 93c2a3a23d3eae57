import { cut } from '@postroom/mime/cut';

const SNIPPET = 200;
/** Enough lines to judge a letter by; a report of a million lines is not read to its end for a guess. */
const MOST_LINES = 2_000;
/** The line with which mail programs begin the message that is answered. */
const ATTRIBUTION =
  /^(?:-{2,} ?(?:original message|urspr\S{0,12} nachricht|forwarded message).*|on .{5,200} wrote:|am .{5,200} schrieb.{0,100}:|le .{5,200} a écrit ?:|_{10,})$/i;
const SIGNATURE = /^-- ?$/;
const QUESTION_MARK = /[?？؟]/;

export interface Reading {
  snippet: string;
  /** It ends in a way that wants an answer. */
  asksSomething: boolean;
}

/** `own` is the text as far as it is not quoted. */
export function readingOf(own: string, whole: string): Reading {
  return { snippet: snippetOf(own, whole), asksSomething: asksSomething(ownLines(own)) };
}

/** The lines that the sender wrote this time: neither quoted nor the signature. */
export function ownLines(text: string): string[] {
  return [...everyOwnLine(text)];
}

function* everyOwnLine(text: string): Iterable<string> {
  for (const line of text.split('\n', MOST_LINES)) {
    const bare = line.trim();
    if (SIGNATURE.test(line) || (bare.length < 320 && ATTRIBUTION.test(bare))) return;
    if (bare !== '' && !bare.startsWith('>')) yield bare;
  }
}

/** A short preview: the sender's own words where there are any. */
export function snippetOf(own: string, whole: string): string {
  let text = '';
  for (const line of everyOwnLine(cut(own, 10_000))) {
    text += ` ${line}`;
    if (text.length > SNIPPET * 4) break;
  }
  const flat = (text === '' ? cut(whole, 10_000) : text).replace(/\s+/g, ' ').trim();
  if (flat.length <= SNIPPET) return flat;
  // Counted in whole characters, so that no emoji is cut in half.
  return Array.from(flat.slice(0, SNIPPET * 2))
    .slice(0, SNIPPET)
    .join('')
    .trimEnd();
}

/** A question in the sender's own words; links are left out, because their queries begin with the same mark. */
export function asksSomething(lines: readonly string[]): boolean {
  return lines.some((line) => QUESTION_MARK.test(line.replace(/\bhttps?:\/\/\S+/gi, '')));
}
