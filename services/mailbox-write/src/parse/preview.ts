import { cut } from '@postroom/mime/cut';
import { ownLines } from '@postroom/mime/own-lines';

const SNIPPET = 200;
const QUESTION_MARK = /[?？؟]/;

export interface Preview {
  snippet: string;
  /** It ends in a way that wants an answer. */
  asksSomething: boolean;
}

/** `own` is the text as far as it is not quoted. */
export function previewOf(own: string, whole: string): Preview {
  return { snippet: snippetOf(own, whole), asksSomething: asksSomething([...ownLines(own)]) };
}

/** A short preview: the sender's own words where there are any. */
export function snippetOf(own: string, whole: string): string {
  let text = '';
  for (const line of ownLines(cut(own, 10_000))) {
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
