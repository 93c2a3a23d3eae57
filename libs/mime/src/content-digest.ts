import { createHash } from 'node:crypto';
import type { Header } from './header-block.ts';

/** What a message says; what servers write on it on its way, and mail programs into their files, is left out. */
const TELLING = [
  'message-id',
  'in-reply-to',
  'references',
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'bcc',
  'subject',
  'date',
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
] as const;
const CHUNK = 1024 * 1024;
const LENGTH = 32;
const LF = 10;
const CR = 13;

/**
 * Names the content of a message: the same for the same message in another form of line ends, with other traces of its
 * way or with empty lines behind it, and another one for whatever else differs.
 */
export function contentDigest(header: Header, body: Buffer): string {
  const hash = createHash('sha256');
  const fields = TELLING.map((name) => header.first(name)?.replace(/\s+/g, ' ') ?? null);
  hash.update(JSON.stringify(fields));
  let end = body.length;
  while (end > 0 && (body[end - 1] === LF || body[end - 1] === CR)) end -= 1;
  for (let start = 0; start < end;) {
    const next = chunkEnd(body, start, end);
    hash.update(body.toString('latin1', start, next).replaceAll('\r\n', '\n'), 'latin1');
    start = next;
  }
  return hash.digest('hex').slice(0, LENGTH);
}

/** Never between the two bytes of a line end. */
function chunkEnd(body: Buffer, start: number, end: number): number {
  const next = Math.min(start + CHUNK, end);
  return body[next - 1] === CR && next < end ? next + 1 : next;
}
