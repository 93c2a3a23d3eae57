import { decodeText } from './charset.ts';
import { escapeWords } from './encoded-words.ts';
import { type MessageBounds, MimeRefused } from './message-bounds.ts';

const LF = 10;
const CR = 13;
/**
 * Other characters stand in no name (RFC 5322 section 3.6.8). Servers check the sender that they read, so a line that
 * they take for no field is none here, and the lines folded under it belong to no field.
 */
const NAME = /^([!-9;-~]+)[ \t]*:/;

/** The fields of one header block, unfolded, by name in lower case. */
export interface Header {
  /** Where a field stands twice the first is the one that mail programs show. */
  first(name: string): string | undefined;
  all(name: string): readonly string[];
  has(name: string): boolean;
  readonly size: number;
}

export interface HeaderBlock {
  header: Header;
  /** Where the body begins. */
  bodyStart: number;
}

/** Reads fields up to the empty line, or up to the end where there is none. */
export function readHeader(raw: Buffer, start: number, end: number, limits: MessageBounds): HeaderBlock {
  const { headerEnd, bodyStart } = findEnd(raw, start, end, limits);
  // Raw 8-bit headers are against the rules and common; UTF-8 is what newer senders mean by them.
  const lines = decodeText(escapeWords(raw.subarray(start, headerEnd))).split('\n');
  const fields = new Map<string, string[]>();
  let name: string | undefined;
  let value = '';
  const keep = () => {
    if (name === undefined) return;
    if (value.length > limits.fieldLength) throw new MimeRefused('fieldTooLong');
    const before = fields.get(name);
    if (before) before.push(value.trim());
    else fields.set(name, [value.trim()]);
  };
  for (const line of lines) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (name !== undefined && (text.startsWith(' ') || text.startsWith('\t'))) {
      value += text;
      continue;
    }
    keep();
    const [begin = '', candidate] = NAME.exec(text) ?? [];
    name = candidate?.toLowerCase();
    value = text.slice(begin.length);
  }
  keep();
  const all = (key: string) => fields.get(key) ?? [];
  const header = { first: (key: string) => all(key)[0], all, has: (key: string) => fields.has(key), size: fields.size };
  return { bodyStart, header };
}

function findEnd(raw: Buffer, start: number, end: number, limits: MessageBounds) {
  let lines = 0;
  let position = start;
  while (position < end) {
    const found = raw.indexOf(LF, position);
    const lineEnd = found === -1 || found >= end ? end : found;
    const isEmpty = lineEnd === position || (lineEnd === position + 1 && raw[position] === CR);
    if (isEmpty) return { headerEnd: position, bodyStart: Math.min(lineEnd + 1, end) };
    lines += 1;
    position = lineEnd + 1;
    if (position - start > limits.headerBytes) throw new MimeRefused('headersTooLong');
    if (lines > limits.headerFields) throw new MimeRefused('tooManyHeaders');
  }
  return { headerEnd: end, bodyStart: end };
}
