import { cut } from './cut.ts';
import { closingQuote, commentEnd } from './quoted.ts';

/** One entry of an address list, before anything in it is decoded. */
export interface RawAddress {
  /** What stands outside of brackets, quotes included. */
  text: string;
  /** What stands in brackets; null where there are none. */
  angle: string | null;
  comment: string;
}

interface Scan {
  field: string;
  position: number;
  current: RawAddress;
  found: RawAddress[];
  /** A comment within brackets never closed: there is no later one that does. */
  isCommentOpen: boolean;
}

const LONGEST_TEXT = 2_000;
const PLAIN = /[^"(<,;:]+/y;
const PLAIN_IN_ANGLE = /[^"(>\\]+/y;
const blank = (): RawAddress => ({ text: '', angle: null, comment: '' });

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
  const scan: Scan = { field, position: 0, current: blank(), found: [], isCommentOpen: false };
  while (scan.position < field.length && scan.found.length < most) {
    const step = steps[scan.field[scan.position] as string];
    if (step) step(scan);
    else takePlain(scan);
  }
  if (scan.found.length < most) takeEnd(scan);
  return scan.found;
}

function takePlain(scan: Scan): void {
  const end = endOf(PLAIN, scan.field, scan.position);
  add(scan, scan.field.slice(scan.position, end));
  scan.position = end;
}

/** Where a run of such characters ends that begins here. */
function endOf(run: RegExp, field: string, start: number): number {
  run.lastIndex = start;
  return run.test(field) ? run.lastIndex : start + 1;
}

function add(scan: Scan, text: string): void {
  if (scan.current.text.length < LONGEST_TEXT) scan.current.text = cut(scan.current.text + text, LONGEST_TEXT);
}

function takeQuoted(scan: Scan): void {
  const close = closingQuote(scan.field, scan.position);
  if (close !== -1) {
    add(scan, scan.field.slice(scan.position, close + 1));
    scan.position = close + 1;
    return;
  }
  // A quote that never closes is taken as a letter, so that it cannot swallow the rest of the list.
  scan.position += 1;
  scan.field = scan.field.slice(0, scan.position) + scan.field.slice(scan.position).replaceAll('"', ' ');
}

function takeComment(scan: Scan): void {
  const closed = commentEnd(scan.field, scan.position);
  const end = closed === -1 ? scan.field.length : closed;
  const comment = scan.field.slice(scan.position + 1, closed === -1 ? end : end - 1).trim();
  if (scan.current.comment === '') scan.current.comment = cut(comment, LONGEST_TEXT);
  scan.position = end;
}

function takeAngle(scan: Scan): void {
  const { field } = scan;
  let end = scan.position + 1;
  let inQuotes = false;
  let address = '';
  while (end < field.length && (inQuotes || field[end] !== '>')) {
    const comment = field[end] === '(' && !inQuotes ? endOfComment(scan, end) : -1;
    if (field[end] === '"') inQuotes = !inQuotes;
    const next = field[end] === '\\' ? end + 2 : endOf(PLAIN_IN_ANGLE, field, end);
    if (comment === -1 && address.length < LONGEST_TEXT) address += field.slice(end, next);
    end = comment === -1 ? next : comment;
  }
  // Of two pairs of brackets the last is the address: what stands before it is what a program made of the name.
  scan.current.angle = cut(address, LONGEST_TEXT);
  scan.position = end + 1;
}

/** A comment that never closes is none, and no later one is looked for: that would cost the square of the field. */
function endOfComment(scan: Scan, start: number): number {
  const end = scan.isCommentOpen ? -1 : commentEnd(scan.field, start);
  scan.isCommentOpen = end === -1;
  return end;
}

function takeEnd(scan: Scan): void {
  const { text, angle } = scan.current;
  // A comment alone stands beside an address, or in an empty group, and is nobody.
  if (angle !== null || text.trim() !== '') scan.found.push(scan.current);
  scan.current = blank();
  scan.position += 1;
}

function takeGroupName(scan: Scan): void {
  const isPartOfAddress = scan.current.angle !== null || scan.current.text.includes('@');
  if (isPartOfAddress) add(scan, ':');
  else scan.current = blank();
  scan.position += 1;
}
