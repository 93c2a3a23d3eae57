import { ownLines } from '@postroom/mime/own-lines';
import { shownText } from '@postroom/mime/shown-text';
import type { ThreadText } from '../model/model.ts';
import { cleanText, cutToTokens, tokensOf } from '../text/bounded-text.ts';

interface ThreadMessage {
  by: ThreadText['by'];
  date: Date;
  html: string | null;
  text: string | null;
}

export const MOST_OF_THREAD = 6;
const MOST_TOKENS = { message: 300, thread: 1_200 };

/** Lines with which mail programs begin what they quote or forward, besides those that every preview ends at. */
const FORWARDED = /^(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié)\b/i;
const HEADING = /^[*_]{0,2}(?:from|von|de)\s?:/i;
const HEADING_GOES_ON = /^[*_]{0,2}(?:sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|à|objet|reply-to)\s?:/i;

/**
 * The newest messages come first here and last in the result, in the order of the conversation.
 */
export function toThreadText(newestFirst: readonly ThreadText[]): ThreadText[] {
  let left = MOST_TOKENS.thread;
  const kept: ThreadText[] = [];
  for (const message of newestFirst.slice(0, MOST_OF_THREAD)) {
    const text = cutToTokens(message.text, left);
    if (text === '') continue;
    left -= tokensOf(text);
    kept.push({ ...message, text });
  }
  return kept.toReversed();
}

/** A quotation in a message may be of anybody, and is left out. */
export function ownWords({ by, date, html, text }: ThreadMessage): ThreadText {
  const shown = shownText({ html, text });
  const lines = beforeForwarded([...ownLines(shown.text.slice(0, shown.quotedFrom))]);
  const own = cutToTokens(cleanText(lines.join('\n')), MOST_TOKENS.message);
  return { by, date: date.toISOString(), text: own };
}

function beforeForwarded(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex(
    (line, at) => FORWARDED.test(line) || (HEADING.test(line) && HEADING_GOES_ON.test(lines[at + 1] ?? '')),
  );
  return end === -1 ? lines : lines.slice(0, end);
}
