import { type RawValue, Type, readLength, skipName, valueEnd } from './raw.ts';
import { notSupported } from '../protocol/errors.ts';

/**
 * Values as bytes that compare the way BSON values do. Everything that compares (indexes, sort, $gt, $in,
 * distinct, $group) goes through this one encoding, so an index can never disagree with a matcher.
 *
 * Every value begins with its class and ends where its bytes say so, hence keys of several fields may simply
 * be joined. Classes leave a gap to their neighbours: bounds are put into the gaps.
 */
const classes: Record<number, number> = {
  [Type.minKey]: 1,
  [Type.undefined]: 3,
  [Type.missing]: 5,
  [Type.null]: 5,
  [Type.double]: 10,
  [Type.int32]: 10,
  [Type.int64]: 10,
  [Type.decimal128]: 10,
  [Type.string]: 15,
  [Type.symbol]: 15,
  [Type.object]: 20,
  [Type.array]: 25,
  [Type.binary]: 30,
  [Type.objectId]: 35,
  [Type.boolean]: 40,
  [Type.date]: 45,
  [Type.timestamp]: 47,
  [Type.regex]: 50,
  [Type.dbPointer]: 55,
  [Type.code]: 60,
  [Type.codeWithScope]: 65,
  [Type.maxKey]: 127,
};
const classOfType = Uint8Array.from({ length: 256 }, (_, type) => classes[type] ?? 0);

export function typeClass(type: number): number {
  return classOfType[type] as number;
}

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);

export interface KeyWriter {
  bytes: Buffer;
  length: number;
}

export function createKeyWriter(capacity = 256): KeyWriter {
  return { bytes: Buffer.allocUnsafeSlow(capacity), length: 0 };
}

function reserve(key: KeyWriter, more: number): void {
  if (key.length + more <= key.bytes.length) return;
  const grown = Buffer.allocUnsafeSlow(Math.max(key.bytes.length * 2, key.length + more));
  key.bytes.copy(grown, 0, 0, key.length);
  key.bytes = grown;
}

function putWord(key: KeyWriter, word: number): void {
  const { bytes, length } = key;
  bytes[length] = word >>> 24;
  bytes[length + 1] = word >>> 16;
  bytes[length + 2] = word >>> 8;
  bytes[length + 3] = word;
  key.length = length + 4;
}

/** A double in eight ordered bytes, then what a 64-bit integer has beyond the nearest double. */
function putNumber(key: KeyWriter, value: number, beyond: number): void {
  if (Number.isNaN(value)) {
    key.bytes.fill(0, key.length, key.length + 10);
    key.length += 10;
    return;
  }
  float[0] = value === 0 ? 0 : value;
  const low = words[0] as number;
  const high = words[1] as number;
  const negative = high >>> 31 === 1;
  putWord(key, negative ? ~high : high ^ 0x80000000);
  putWord(key, negative ? ~low : low);
  const shifted = beyond + 0x8000;
  key.bytes[key.length] = shifted >>> 8;
  key.bytes[key.length + 1] = shifted;
  key.length += 2;
}

function putInt64(key: KeyWriter, buf: Buffer, at: number): void {
  const high = readLength(buf, at + 4);
  const value = high * 0x100000000 + (readLength(buf, at) >>> 0);
  if (Number.isSafeInteger(value)) return putNumber(key, value, 0);
  const exact = buf.readBigInt64LE(at);
  putNumber(key, Number(exact), Number(exact - BigInt(Number(exact))));
}

/** Text, where a zero byte inside becomes 00 FF, so that the single 00 at the end sorts before any longer text. */
function putText(key: KeyWriter, buf: Buffer, start: number, end: number): void {
  reserve(key, (end - start) * 2 + 1);
  const { bytes } = key;
  let to = key.length;
  for (let at = start; at < end; at += 1) {
    const byte = buf[at] as number;
    bytes[to] = byte;
    to += 1;
    if (byte === 0) {
      bytes[to] = 0xff;
      to += 1;
    }
  }
  bytes[to] = 0;
  key.length = to + 1;
}

function putBytes(key: KeyWriter, buf: Buffer, start: number, end: number): void {
  reserve(key, end - start);
  key.length += buf.copy(key.bytes, key.length, start, end);
}

function putReversed(key: KeyWriter, buf: Buffer, at: number, flip: number): void {
  putWord(key, readLength(buf, at + 4) ^ flip);
  putWord(key, readLength(buf, at));
}

function putContainer(key: KeyWriter, buf: Buffer, start: number, named: boolean): void {
  const end = start + readLength(buf, start) - 1;
  let at = start + 4;
  while (at < end) {
    const type = buf[at] as number;
    const valueStart = skipName(buf, at + 1);
    reserve(key, 16);
    key.bytes[key.length] = typeClass(type);
    key.length += 1;
    if (named) putBytes(key, buf, at + 1, valueStart);
    const stop = valueEnd(type, buf, valueStart);
    putPayload(key, type, buf, valueStart, stop);
    at = stop;
  }
  reserve(key, 16);
  key.bytes[key.length] = 0;
  key.length += 1;
}

function putPayload(key: KeyWriter, type: number, buf: Buffer, start: number, end: number): void {
  reserve(key, 16);
  switch (type) {
    case Type.double:
      return putNumber(key, buf.readDoubleLE(start), 0);
    case Type.int32:
      return putNumber(key, readLength(buf, start), 0);
    case Type.int64:
      return putInt64(key, buf, start);
    case Type.decimal128:
      throw notSupported('comparing a Decimal128');
    case Type.string:
    case Type.symbol:
    case Type.code:
      return putText(key, buf, start + 4, end - 1);
    case Type.object:
      return putContainer(key, buf, start, true);
    case Type.array:
      return putContainer(key, buf, start, false);
    case Type.binary:
      putWord(key, readLength(buf, start));
      return putBytes(key, buf, start + 4, end);
    case Type.date:
      return putReversed(key, buf, start, 0x80000000);
    case Type.timestamp:
      return putReversed(key, buf, start, 0);
    default:
      // Types of a fixed size (ObjectId, Boolean) and the rare ones compare byte for byte.
      return putBytes(key, buf, start, end);
  }
}

export function putValue(key: KeyWriter, type: number, buf: Buffer, start: number, end: number): void {
  reserve(key, 16);
  key.bytes[key.length] = typeClass(type);
  key.length += 1;
  putPayload(key, type, buf, start, end);
}

/** Turns the order round for a field that is indexed or sorted downwards. */
export function invert(bytes: Buffer, start: number, end: number): void {
  for (let at = start; at < end; at += 1) bytes[at] = ~(bytes[at] as number);
}

const scratch = createKeyWriter(1024);

/** The key of one value in a buffer of its own. */
export function keyOf(value: RawValue): Buffer {
  scratch.length = 0;
  putValue(scratch, value.type, value.buf, value.start, value.end);
  return Buffer.from(scratch.bytes.subarray(0, scratch.length));
}

/** Compares a value with a ready key without allocating. */
export function compareToKey(type: number, buf: Buffer, start: number, end: number, key: Buffer): number {
  scratch.length = 0;
  putValue(scratch, type, buf, start, end);
  return scratch.bytes.compare(key, 0, key.length, 0, scratch.length);
}

export function compareBytes(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** A key as a string, for sets and maps: one character a byte. */
export function textOf(key: Buffer): string {
  return key.toString('latin1');
}
