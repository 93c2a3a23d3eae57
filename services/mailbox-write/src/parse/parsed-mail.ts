import { searchable, type Searchable } from '@postroom/mail-store/searchable';
import type { MimeLimits } from '@postroom/mime/limits';
import { parseMessage, type ParsedMessage } from '@postroom/mime/message';
import { shownText } from '@postroom/mime/shown-text';
import { asksSomething, ownLines, snippetOf } from './reading.ts';

/** Everything about an email that its raw message alone decides. */
export interface ParsedMail extends ParsedMessage, Searchable {
  snippet: string;
  /** The newest text ends in a way that wants an answer. */
  asksSomething: boolean;
}

export function readMail(raw: Buffer, limits: MimeLimits): ParsedMail {
  const message = parseMessage(raw, limits);
  const { text, quotedFrom } = shownText(message);
  return {
    ...message,
    snippet: snippetOf(text.slice(0, quotedFrom), text),
    ...searchable(message, text),
    asksSomething: asksSomething(ownLines(text.slice(0, quotedFrom))),
  };
}
