import { type HeaderBlock, readHeader } from './header-block.ts';
import { type MessageBounds, MimeRefused } from './message-bounds.ts';

const LF = 10;
const CR = 13;

/** A message up to its body, and its bytes as all positions in it are meant. */
export function openMessage(message: Buffer, limits: MessageBounds): HeaderBlock & { raw: Buffer } {
  if (message.length > limits.messageBytes) throw new MimeRefused('tooLarge');
  const raw = withLineFeeds(message);
  return { raw, ...readHeader(raw, afterEnvelope(raw), raw.length, limits) };
}

/** Old systems end lines with CR alone; everything here looks for LF. */
function withLineFeeds(message: Buffer): Buffer {
  if (message.includes(LF) || !message.includes(CR)) return message;
  return Buffer.from(message.map((byte) => (byte === CR ? LF : byte)));
}

/** Empty lines, and the "From " line of an mbox file, stand before some messages. */
function afterEnvelope(raw: Buffer): number {
  let start = 0;
  while (raw[start] === CR || raw[start] === LF) start += 1;
  if (raw.length - start > 3 && raw[start] === 0xef && raw[start + 1] === 0xbb && raw[start + 2] === 0xbf) start += 3;
  const line = raw.subarray(start, start + 6).toString('latin1');
  if (!/^>?From /.test(line)) return start;
  const end = raw.indexOf(LF, start);
  return end === -1 ? raw.length : end + 1;
}
