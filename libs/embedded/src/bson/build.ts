import type { RawValue } from './raw.ts';
import { encodeDocument } from './value.ts';

export interface Element {
  name: string;
  value: RawValue;
}

function framed(parts: Buffer[], size: number): Buffer {
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
  let size = 0;
  for (const { name, value } of fields) {
    const head = header(value.type, name);
    parts.push(head, value.buf.subarray(value.start, value.end));
    size += head.length + value.end - value.start;
  }
  return framed(parts, size);
}

/** An array of documents that are already encoded. */
export function buildArray(documents: Buffer[]): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let i = 0; i < documents.length; i += 1) {
    const document = documents[i] as Buffer;
    const head = header(3, String(i));
    parts.push(head, document);
    size += head.length + document.length;
  }
  return framed(parts, size);
}

export function whole(type: number, buf: Buffer): RawValue {
  return { type, buf, start: 0, end: buf.length };
}

/** `fields` with `last` (already encoded) appended: how a page becomes an answer without being read. */
export function appendElement(fields: Record<string, unknown>, name: string, last: RawValue): Buffer {
  const first = encodeDocument(fields);
  const head = header(last.type, name);
  return framed(
    [first.subarray(4, first.length - 1), head, last.buf.subarray(last.start, last.end)],
    first.length - 5 + head.length + last.end - last.start,
  );
}
