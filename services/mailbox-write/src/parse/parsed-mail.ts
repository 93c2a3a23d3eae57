import { foldLines } from '@postroom/mail-store/fold';
import { emailWords } from '@postroom/mail-store/words';
import type { FoldedPart } from '@postroom/mail-store/documents/email';
import type { Address } from '@postroom/mime/addresses';
import type { MimeLimits } from '@postroom/mime/limits';
import { parseMessage, type ParsedMessage } from '@postroom/mime/message';
import { visibleText, withoutInvisible } from '@postroom/mime/visible-text';
import { asksSomething, ownLines, snippetOf } from './reading.ts';

/** Everything about an email that its raw message alone decides. */
export interface ParsedMail extends ParsedMessage {
  snippet: string;
  folded: FoldedPart;
  words: string[];
  /** The newest text ends in a way that wants an answer. */
  asksSomething: boolean;
}

/** Text beyond this is stored and shown, and not searched: one email must not crowd the index. */
const SEARCHED = 100_000;

export function readMail(raw: Buffer, limits: MimeLimits): ParsedMail {
  const message = parseMessage(raw, limits);
  const { text, quotedFrom } = shownText(message);
  const searched = text.slice(0, SEARCHED);
  return {
    ...message,
    snippet: snippetOf(text.slice(0, quotedFrom), text),
    ...searchable(message, searched),
    asksSomething: asksSomething(ownLines(text.slice(0, quotedFrom))),
  };
}

/** Where a mail comes in two forms the html is what people are shown; the other may say anything at all. */
export function shownText({ html, text }: Pick<ParsedMessage, 'html' | 'text'>): { text: string; quotedFrom: number } {
  const seen = html === null ? null : visibleText(html);
  if (seen && seen.text !== '') return seen;
  const plain = withoutInvisible(text ?? '');
  return { text: plain, quotedFrom: plain.length };
}

/** Also what a migration runs again, over stored emails and bodies, when folding or the choice of words changes. */
export function searchable(
  message: Pick<ParsedMessage, 'from' | 'to' | 'cc' | 'subject'>,
  text: string,
): { folded: FoldedPart; words: string[] } {
  const { from, to, cc, subject } = message;
  const people = [from, ...to, ...cc].flatMap(linesOf);
  return {
    folded: {
      from: foldLines(linesOf(from)),
      to: foldLines(to.flatMap(linesOf)),
      cc: foldLines(cc.flatMap(linesOf)),
      subject: foldLines([subject]),
      text: clip(foldLines([text])),
    },
    words: emailWords([subject, ...people].join('\n'), text),
  };
}

function linesOf({ email, name }: Address): string[] {
  return name === null ? [email] : [email, name];
}

/** Folding can make text longer: capitals of some signs are up to three. */
function clip(block: string): string {
  return block.length <= SEARCHED ? block : `${block.slice(0, SEARCHED)}\n`;
}
