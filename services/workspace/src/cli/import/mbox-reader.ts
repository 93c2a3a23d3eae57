/** One message out of an mbox; without its bytes where it is larger than the limit. */
export interface MboxMessage {
  raw: Buffer | null;
  size: number;
}

export interface MboxReader {
  /** The messages that are complete with this piece of the file. */
  push(chunk: Buffer): MboxMessage[];
  end(): MboxMessage[];
}

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x3e;
const F = 0x46;

// No separator is this long; of a longer line only the beginning is held back, however long it goes on.
const LONGEST_SEPARATOR = 1_024;

const QUOTED = /^>+From /;
const DATED =
  /^From .*\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b.*\d{1,2}:\d{2}.*\d{4}/;

/**
 * Takes an mbox apart while it streams by (mboxrd and mboxo; LF and CRLF). It holds the message at hand and nothing
 * else, and of a message over the limit only the count of its bytes.
 */
export function createMboxReader(limit: number): MboxReader {
  let held: Buffer = Buffer.alloc(0);
  let isMidLine = false;
  let isAfterBlank = true;
  let isDated: boolean | undefined;
  let current: ReturnType<typeof collect> | undefined;
  let complete: MboxMessage[] = [];

  const isSeparator = (line: string) => {
    if (!line.startsWith('From ')) return false;
    const dated = DATED.test(line);
    // A writer that dates its separators has forgotten to quote a line without a date; one that does not has no other.
    const counts = dated || (isAfterBlank && !isDated);
    if (counts) isDated ??= dated;
    return counts;
  };

  const finish = () => {
    const message = current?.finish();
    if (message && message.size > 0) complete.push(message);
    current = undefined;
  };

  /** Takes in the beginning of a line, and all of it where it ends here. */
  const takeLine = (bytes: Buffer, start: number, end: number) => {
    const first = bytes[start];
    if (first === F && isSeparator(textOf(bytes, start, end))) {
      finish();
      current = collect(limit);
      return;
    }
    const isQuoted = first === QUOTE && QUOTED.test(textOf(bytes, start, end));
    current?.add(bytes, isQuoted ? start + 1 : start, end);
  };

  const push = (chunk: Buffer): MboxMessage[] => {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    held = Buffer.alloc(0);
    let start = 0;
    while (start < bytes.length) {
      const newline = bytes.indexOf(LF, start);
      const isWhole = newline >= 0;
      const end = isWhole ? newline + 1 : bytes.length;
      if (isMidLine) current?.add(bytes, start, end);
      else if (isWhole || end - start > LONGEST_SEPARATOR) takeLine(bytes, start, end);
      else {
        held = Buffer.from(bytes.subarray(start));
        break;
      }
      if (isWhole) isAfterBlank = !isMidLine && isBlank(bytes, start, end);
      isMidLine = !isWhole;
      start = end;
    }
    return take();
  };

  const take = () => {
    const taken = complete;
    complete = [];
    return taken;
  };

  return {
    push,
    end: () => {
      if (held.length > 0) takeLine(held, 0, held.length);
      held = Buffer.alloc(0);
      finish();
      return take();
    },
  };
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, Math.min(end, start + LONGEST_SEPARATOR));
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  return end - start === 1 || (end - start === 2 && bytes[start] === CR);
}

/** The bytes of one message: neighbouring lines stay one piece, so that a large chunk is not cut into lines. */
function collect(limit: number) {
  let pieces: Buffer[] = [];
  let size = 0;
  let last: { bytes: Buffer; start: number; end: number } | undefined;

  const settle = () => {
    if (last && size <= limit) pieces.push(last.bytes.subarray(last.start, last.end));
    last = undefined;
  };

  return {
    add: (bytes: Buffer, start: number, end: number) => {
      size += end - start;
      if (size > limit) pieces = [];
      if (last && last.bytes === bytes && last.end === start) {
        last.end = end;
        return;
      }
      settle();
      last = { bytes, start, end };
    },
    finish: (): MboxMessage => {
      settle();
      if (size > limit) return { raw: null, size };
      const raw = withoutBlankEnd(Buffer.concat(pieces));
      return { raw, size: raw.length };
    },
  };
}

/** Every message of an mbox is followed by an empty line that is not part of it. */
function withoutBlankEnd(raw: Buffer): Buffer {
  const text = raw.toString('latin1', Math.max(0, raw.length - 3));
  if (text.endsWith('\n\r\n') || text === '\r\n') return raw.subarray(0, -2);
  if (text.endsWith('\n\n') || text === '\n') return raw.subarray(0, -1);
  return raw;
}
