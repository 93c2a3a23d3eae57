import { deserialize, serialize, type Document } from 'bson';
import { type RawValue, Type, readLength } from './raw.ts';

/** Keeps what BSON says: an Int32 stays an Int32 and does not come back as a double. */
const lossless = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;

export function decodeDocument(buf: Buffer): Document {
  return deserialize(buf, lossless);
}

/** Plain JavaScript values, for options of commands, where the difference between number types means nothing. */
export function decodePlain(buf: Buffer): Document {
  return deserialize(buf, { bsonRegExp: true });
}

/** A value as JavaScript; numbers keep their BSON class, `undefined` stands for a missing one. */
export function decodeValue(value: RawValue): unknown {
  const { type, buf, start } = value;
  switch (type) {
    case Type.missing:
      return undefined;
    case Type.string:
      return buf.toString('utf8', start + 4, start + 3 + readLength(buf, start));
    case Type.boolean:
      return buf[start] === 1;
    case Type.null:
      return null;
    default:
      return decodeDocument(wrapValue(value))[''];
  }
}

/** A document whose only element, with an empty name, is this value. */
function wrapValue(value: RawValue): Buffer {
  const size = value.end - value.start;
  const out = Buffer.allocUnsafe(size + 7);
  out.writeInt32LE(size + 7, 0);
  out[4] = value.type;
  out[5] = 0;
  value.buf.copy(out, 6, value.start, value.end);
  out[size + 6] = 0;
  return out;
}

export function encodeDocument(document: Document): Buffer {
  const bytes = serialize(document, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function encodeValue(value: unknown): RawValue {
  const buf = encodeDocument({ '': value });
  if (buf.length < 7) return { type: Type.missing, buf, start: 0, end: 0 };
  return { type: buf[4] as number, buf, start: 6, end: buf.length - 1 };
}

export function documentOf(value: RawValue): Buffer {
  return value.buf.subarray(value.start, value.end);
}

/** A number of any BSON kind as a JavaScript number; NaN when it is not a number. */
export function toNumber(value: RawValue): number {
  switch (value.type) {
    case Type.int32:
      return value.buf.readInt32LE(value.start);
    case Type.double:
      return value.buf.readDoubleLE(value.start);
    case Type.int64:
      return Number(value.buf.readBigInt64LE(value.start));
    default:
      return NaN;
  }
}

export function toText(value: RawValue): string | undefined {
  return value.type === Type.string ? (decodeValue(value) as string) : undefined;
}
