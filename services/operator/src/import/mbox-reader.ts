import { createLineCutter, type LinePiece } from './line-cutter.ts';
import { createMessageBytes, type MboxMessage } from './message-bytes.ts';

export interface MessageReader {
  /** The messages that are complete with this piece of the stream. */
  push(chunk: Buffer): MboxMessage[];
  end(): MboxMessage[];
}

const CR = 0x0d;
const QUOTE = 0x3e;
const F = 0x46;

// No separator is this long.
const LONGEST_SEPARATOR = 1_024;

const QUOTED = /^>+From /;
/** A date has these in this order. Each is searched behind the one before it, which takes one pass. */
const PARTS_OF_DATE = [
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/g,
  /\d{1,2}:\d{2}/g,
  /\d{4}/g,
];

/**
 * Splits a streamed mbox into messages (mboxrd and mboxo; LF and CRLF). It holds only the current message, and of a
 * message over the limit only the count of its bytes.
 */
export function createMboxReader(limit: number): MessageReader {
  const cutter = createLineCutter(LONGEST_SEPARATOR);
  const isSeparator = createSeparatorRule();
  let isAfterBlank = true;
  let current: ReturnType<typeof createMessageBytes> | undefined;

  function* finish(): Generator<MboxMessage> {
    const message = current?.finish();
    if (message && message.size > 0) yield message;
    current = undefined;
  }

  function* take(lines: Iterable<LinePiece>): Generator<MboxMessage> {
    for (const line of lines) {
      if (line.begins && isSeparator(line, isAfterBlank)) {
        yield* finish();
        current = createMessageBytes(limit);
      } else {
        current?.add(line.bytes, isQuoted(line) ? line.start + 1 : line.start, line.end);
      }
      isAfterBlank = line.begins && isBlank(line);
    }
  }

  return {
    push: (chunk) => [...take(cutter.push(chunk))],
    end: () => [...take(cutter.end()), ...finish()],
  };
}

/** When a writer dates its separators, a "From " line without a date is text that it forgot to quote. */
function createSeparatorRule() {
  let isDated: boolean | undefined;
  return (line: LinePiece, isAfterBlank: boolean): boolean => {
    if (line.bytes[line.start] !== F) return false;
    const text = textOf(line);
    if (!text.startsWith('From ')) return false;
    const dated = hasDate(text);
    const counts = dated || (isAfterBlank && !isDated);
    if (counts) isDated ??= dated;
    return counts;
  };
}

function hasDate(text: string): boolean {
  let from = 0;
  return PARTS_OF_DATE.every((part) => {
    part.lastIndex = from;
    const isThere = part.test(text);
    from = part.lastIndex;
    return isThere;
  });
}

function isQuoted(line: LinePiece): boolean {
  return line.begins && line.bytes[line.start] === QUOTE && QUOTED.test(textOf(line));
}

function isBlank({ bytes, start, end, ends }: LinePiece): boolean {
  return ends && (end - start === 1 || (end - start === 2 && bytes[start] === CR));
}

function textOf({ bytes, start, end }: LinePiece): string {
  return bytes.toString('latin1', start, Math.min(end, start + LONGEST_SEPARATOR));
}
