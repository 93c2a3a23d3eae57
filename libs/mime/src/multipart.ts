const LF = 10;
const CR = 13;
const DASH = 45;
const SPACE = 32;
const TAB = 9;

interface Delimiter {
  start: number;
  end: number;
  isLast: boolean;
}

/** Where the parts between the delimiter lines stand. A missing last delimiter is taken as there at the end. */
export function splitMultipart(
  raw: Buffer,
  start: number,
  end: number,
  boundary: string,
  most: number,
): [number, number][] {
  const mark = Buffer.from(`--${boundary}`, 'utf8');
  const ranges: [number, number][] = [];
  let open: Delimiter | undefined;
  // One more than allowed is enough for the caller to see that there are too many.
  for (let position = start; ranges.length <= most;) {
    const next = nextDelimiter(raw, position, end, mark);
    if (open) ranges.push([open.end, Math.max(open.end, next ? lineEndBefore(raw, next.start) : end)]);
    if (!next || next.isLast) return ranges;
    open = next;
    position = next.end;
  }
  return ranges;
}

function nextDelimiter(raw: Buffer, from: number, end: number, mark: Buffer): Delimiter | undefined {
  // Outside of this entity nothing is looked for, or every part would search the rest of the message.
  const scope = raw.subarray(0, end);
  for (let start = scope.indexOf(mark, from); start !== -1; start = scope.indexOf(mark, start + 1)) {
    const isLineStart = start === 0 || start === from || raw[start - 1] === LF;
    const delimiter = isLineStart ? readDelimiter(scope, start, start + mark.length) : undefined;
    if (delimiter) return delimiter;
  }
  return undefined;
}

/** Anything but spaces after the mark makes it the mark of another boundary that begins alike. */
function readDelimiter(scope: Buffer, start: number, markEnd: number): Delimiter | undefined {
  const isLast = scope[markEnd] === DASH && scope[markEnd + 1] === DASH;
  let position = isLast ? markEnd + 2 : markEnd;
  while (scope[position] === SPACE || scope[position] === TAB) position += 1;
  if (scope[position] === CR) position += 1;
  if (position >= scope.length) return { start, end: scope.length, isLast };
  if (scope[position] === LF) return { start, end: position + 1, isLast };
  return isLast ? { start, end: position, isLast } : undefined;
}

/** The line break before a delimiter belongs to the delimiter, not to the part. */
function lineEndBefore(raw: Buffer, position: number): number {
  if (raw[position - 1] !== LF) return position;
  return raw[position - 2] === CR ? position - 2 : position - 1;
}
