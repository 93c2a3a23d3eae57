import { cut } from './cut.ts';
import { closingQuote, commentEnd } from './quoted.ts';

/** One entry of an address list, before anything in it is decoded. Its quoted strings are whole and still in quotes. */
export interface RawAddress {
  /** The text outside of brackets. */
  text: string;
  /** The text was longer than this; an address at its end may have lost its own end. */
  isCut: boolean;
  /** The text in brackets, of each pair; empty where there are none. */
  angles: string[];
  comment: string;
}

interface Scan {
  field: string;
  position: number;
  current: RawAddress;
  /** An "@" stood outside of quotes and brackets. */
  hasAt: boolean;
  found: RawAddress[];
  /** No such sign closes any more: without this a field of signs that open would cost the square of its length. */
  unclosed: Set<string>;
}

const LONGEST_TEXT = 2_000;
const MOST_ANGLES = 2;
const PLAIN = /[^"(<,;:]+/y;
const PLAIN_IN_ANGLE = /[^"(>\\]+/y;
/** A comment stands for a space (RFC 5322 §3.2.2). Without it, the words on both sides would become another address. */
const COMMENT = ' ';
const blank = (): RawAddress => ({ text: '', isCut: false, angles: [], comment: '' });

type Step = (scan: Scan) => void;

const steps: Readonly<Record<string, Step>> = {
  '"': takeQuoted,
  '(': takeComment,
  '<': takeAngle,
  ',': takeEnd,
  // Outlook separates with semicolons; in a group the semicolon ends it. Both end an address.
  ';': takeEnd,
  ':': takeGroupName,
};

/** Splits a list into its addresses, groups dissolved. Linear in the length of the field, whatever it holds. */
export function scanAddresses(field: string, most: number): RawAddress[] {
  const scan: Scan = { field, position: 0, current: blank(), hasAt: false, found: [], unclosed: new Set() };
  while (scan.position < field.length && scan.found.length < most) {
    const step = steps[field[scan.position] as string] ?? takePlain;
    step(scan);
  }
  if (scan.found.length < most) takeEnd(scan);
  return scan.found;
}

function takePlain(scan: Scan): void {
  const end = endOf(PLAIN, scan.field, scan.position);
  const run = scan.field.slice(scan.position, end);
  scan.hasAt ||= run.includes('@');
  add(scan, run);
  scan.position = end;
}

/** Where a run of such characters ends that begins here. */
function endOf(run: RegExp, field: string, start: number): number {
  run.lastIndex = start;
  return run.test(field) ? run.lastIndex : start + 1;
}

function add({ current }: Scan, text: string): void {
  if (current.isCut) return;
  const whole = current.text + text;
  current.text = cut(whole, LONGEST_TEXT);
  current.isCut = whole.length > LONGEST_TEXT;
}

function takeQuoted(scan: Scan): void {
  const close = endOfQuoted(scan, scan.position);
  // A quote that never closes is passed over, so that it cannot swallow the rest of the list.
  if (close !== -1) add(scan, scan.field.slice(scan.position, close));
  scan.position = close === -1 ? scan.position + 1 : close;
}

function endOfQuoted(scan: Scan, start: number): number {
  return endUnless(scan, '"', () => closingQuote(scan.field, start) + 1 || -1);
}

function endOfComment(scan: Scan, start: number): number {
  return endUnless(scan, '(', () => commentEnd(scan.field, start));
}

function endUnless({ unclosed }: Scan, sign: string, search: () => number): number {
  const end = unclosed.has(sign) ? -1 : search();
  if (end === -1) unclosed.add(sign);
  return end;
}

function takeComment(scan: Scan): void {
  const end = endOfComment(scan, scan.position);
  if (end === -1) {
    add(scan, '(');
    scan.position += 1;
    return;
  }
  if (scan.current.comment === '') {
    scan.current.comment = cut(scan.field.slice(scan.position + 1, end - 1).trim(), LONGEST_TEXT);
  }
  add(scan, COMMENT);
  scan.position = end;
}

function takeAngle(scan: Scan): void {
  const { field } = scan;
  let position = scan.position + 1;
  let address = '';
  while (position < field.length && field[position] !== '>') {
    const comment = field[position] === '(' ? endOfComment(scan, position) : -1;
    const next = comment === -1 ? endInAngle(scan, position) : comment;
    if (address.length < LONGEST_TEXT) address += comment === -1 ? field.slice(position, next) : COMMENT;
    position = next;
  }
  if (scan.current.angles.length < MOST_ANGLES) scan.current.angles.push(cut(address, LONGEST_TEXT));
  scan.position = position + 1;
}

function endInAngle(scan: Scan, start: number): number {
  const character = scan.field[start];
  const closed = character === '"' ? endOfQuoted(scan, start) : -1;
  if (closed !== -1) return closed;
  return character === '\\' ? start + 2 : endOf(PLAIN_IN_ANGLE, scan.field, start);
}

function takeEnd(scan: Scan): void {
  const { text, angles } = scan.current;
  // A comment alone stands beside an address, or in an empty group, and is nobody.
  if (angles.length > 0 || text.trim() !== '') scan.found.push(scan.current);
  next(scan);
}

function takeGroupName(scan: Scan): void {
  const isPartOfAddress = scan.current.angles.length > 0 || scan.hasAt;
  if (!isPartOfAddress) return next(scan);
  add(scan, ':');
  scan.position += 1;
}

function next(scan: Scan): void {
  scan.current = blank();
  scan.hasAt = false;
  scan.position += 1;
}
