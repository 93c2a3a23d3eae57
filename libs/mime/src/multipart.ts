import { MimeRefused } from './message-bounds.ts';

const LF = 10;
const CR = 13;
const DASH = 45;
const SPACE = 32;
const TAB = 9;

interface Range {
  start: number;
  end: number;
}

interface Delimiter {
  start: number;
  end: number;
  isLast: boolean;
}

/** Lines that begin with two dashes, as delimiters do. */
export type DashLines = readonly number[];

/** Above this number the lines alone make a message slow. No program writes so many. */
const MOST_DASH_LINES = 100_000;

/**
 * Finds them once for all levels of a message: each level that scans all that it holds would scan the
 * innermost part as often as there are levels.
 */
export function findDashLines(raw: Buffer, start: number, end: number): DashLines {
  const found: number[] = [];
  for (let at = start; at < end; at += 1) {
    if (raw[at] !== LF || raw[at + 1] !== DASH || raw[at + 2] !== DASH) continue;
    found.push(at + 1);
    if (found.length > MOST_DASH_LINES) throw new MimeRefused('tooManyParts');
  }
  return found;
}

/** Where the parts between the delimiter lines stand. A missing last delimiter is taken as there at the end. */
export function splitMultipart(
  raw: Buffer,
  lines: DashLines,
  { start, end }: Range,
  boundary: string,
  most: number,
): [number, number][] {
  const ranges: [number, number][] = [];
  let open: Delimiter | undefined;
  for (const next of delimitersIn(raw, lines, { start, end }, boundary)) {
    if (open) ranges.push([open.end, Math.max(open.end, lineEndBefore(raw, next.start))]);
    // One more than allowed is enough for the caller to see that there are too many.
    if (next.isLast || ranges.length > most) return ranges;
    open = next;
  }
  if (open) ranges.push([open.end, Math.max(open.end, end)]);
  return ranges;
}

function* delimitersIn(raw: Buffer, lines: DashLines, { start, end }: Range, boundary: string): Generator<Delimiter> {
  const mark = Buffer.from(`--${boundary}`, 'utf8');
  const scope = raw.subarray(0, end);
  const first = isMark(scope, start, mark) ? readDelimiter(scope, start, start + mark.length) : undefined;
  if (first) yield first;
  for (let n = indexFrom(lines, first ? first.end - 1 : start + 1); n < lines.length; n += 1) {
    const at = lines[n] as number;
    if (at >= end) return;
    const delimiter = isMark(scope, at, mark) ? readDelimiter(scope, at, at + mark.length) : undefined;
    if (delimiter) yield delimiter;
  }
}

/** The index of the first line at a position or behind it. */
function indexFrom(lines: DashLines, position: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle] as number) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isMark(scope: Buffer, start: number, mark: Buffer): boolean {
  const end = start + mark.length;
  return end <= scope.length && scope[end - 1] === mark.at(-1) && scope.compare(mark, 0, mark.length, start, end) === 0;
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
