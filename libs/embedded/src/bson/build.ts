import type { RawValue } from './raw.ts';
import { encodeDocument } from './value.ts';

export interface Element {
  name: string;
  value: RawValue;
}

/** Encoded elements as one document. */
export function framed(parts: readonly Buffer[]): Buffer {
  let size = 0;
  for (const part of parts) size += part.length;
  const out = Buffer.allocUnsafe(size + 5);
  out.writeInt32LE(size + 5, 0);
  let at = 4;
  for (const part of parts) at += part.copy(out, at);
  out[at] = 0;
  return out;
}

function header(type: number, name: string): Buffer {
  const bytes = Buffer.from(`_${name}\0`);
  bytes[0] = type;
  return bytes;
}

/** Puts values together to a document without decoding them. */
export function buildDocument(fields: Iterable<Element>): Buffer {
  const parts: Buffer[] = [];
  for (const { name, value } of fields) {
    parts.push(header(value.type, name), value.buf.subarray(value.start, value.end));
  }
  return framed(parts);
}

/** An array of documents that are already encoded. */
export function buildArray(documents: Buffer[]): Buffer {
  const parts: Buffer[] = [];
  for (let i = 0; i < documents.length; i += 1) parts.push(header(3, String(i)), documents[i] as Buffer);
  return framed(parts);
}

export function whole(type: number, buf: Buffer): RawValue {
  return { type, buf, start: 0, end: buf.length };
}

/** `fields` with `last` (already encoded) appended: how a page becomes an answer without being read. */
export function appendElement(fields: Record<string, unknown>, name: string, last: RawValue): Buffer {
  const first = encodeDocument(fields);
  const value = last.buf.subarray(last.start, last.end);
  return framed([first.subarray(4, first.length - 1), header(last.type, name), value]);
}
