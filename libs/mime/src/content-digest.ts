import { createHash } from 'node:crypto';
import type { Header } from './header-block.ts';

/** The headers of the sender. Servers add other headers in transit, and mail programs add them to their files. */
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
 * The digest of a message's content. Other line ends, other trace headers and empty lines at the end do not change it;
 * any other difference does.
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
