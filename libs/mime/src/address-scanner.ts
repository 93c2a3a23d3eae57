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
}

const LONGEST_TEXT = 2_000;
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
  const scan: Scan = { field, position: 0, current: blank(), found: [] };
  while (scan.position < field.length && scan.found.length < most) {
    const character = field[scan.position] as string;
    const step = steps[character];
    if (step) step(scan);
    else {
      add(scan, character);
      scan.position += 1;
    }
  }
  if (scan.found.length < most) takeEnd(scan);
  return scan.found;
}

function add(scan: Scan, text: string): void {
  if (scan.current.text.length < LONGEST_TEXT) scan.current.text += text;
}

function takeQuoted(scan: Scan): void {
  let end = scan.position + 1;
  while (end < scan.field.length && scan.field[end] !== '"') end += scan.field[end] === '\\' ? 2 : 1;
  // A quote that never closes is taken as a letter, so that it cannot swallow the rest of the list.
  const isClosed = scan.field[end] === '"';
  add(scan, isClosed ? scan.field.slice(scan.position, Math.min(end + 1, scan.position + LONGEST_TEXT)) : '');
  scan.position = isClosed ? end + 1 : scan.position + 1;
  if (!isClosed) scan.field = scan.field.slice(0, scan.position) + scan.field.slice(scan.position).replaceAll('"', ' ');
}

function takeComment(scan: Scan): void {
  let depth = 0;
  let end = scan.position;
  do {
    const character = scan.field[end];
    if (character === '\\') end += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    end += 1;
  } while (depth > 0 && end < scan.field.length);
  const comment = scan.field.slice(scan.position + 1, depth === 0 ? end - 1 : end).trim();
  if (scan.current.comment === '') scan.current.comment = comment.slice(0, LONGEST_TEXT);
  scan.position = end;
}

function takeAngle(scan: Scan): void {
  let end = scan.position + 1;
  let inQuotes = false;
  while (end < scan.field.length && (inQuotes || scan.field[end] !== '>')) {
    if (scan.field[end] === '\\') end += 1;
    else if (scan.field[end] === '"') inQuotes = !inQuotes;
    end += 1;
  }
  // Of two pairs of brackets the last is the address: what stands before it is what a program made of the name.
  scan.current.angle = scan.field.slice(scan.position + 1, Math.min(end, scan.position + LONGEST_TEXT));
  scan.position = end + 1;
}

function takeEnd(scan: Scan): void {
  const { text, angle, comment } = scan.current;
  if (angle !== null || text.trim() !== '' || comment !== '') scan.found.push(scan.current);
  scan.current = blank();
  scan.position += 1;
}

function takeGroupName(scan: Scan): void {
  const isPartOfAddress = scan.current.angle !== null || scan.current.text.includes('@');
  if (isPartOfAddress) add(scan, ':');
  else scan.current = blank();
  scan.position += 1;
}
