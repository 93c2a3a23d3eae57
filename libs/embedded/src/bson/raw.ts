/** BSON element types, by the byte that stands before an element's name. `missing` is ours: no element has it. */
export const Type = {
  missing: 0,
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binary: 5,
  undefined: 6,
  objectId: 7,
  boolean: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  code: 13,
  symbol: 14,
  codeWithScope: 15,
  int32: 16,
  timestamp: 17,
  int64: 18,
  decimal128: 19,
  minKey: 255,
  maxKey: 127,
} as const;

/** One value where it lies in a buffer. Documents stay encoded for as long as nobody needs them decoded. */
export interface RawValue {
  type: number;
  buf: Buffer;
  start: number;
  end: number;
}

export const missing: RawValue = { type: Type.missing, buf: Buffer.alloc(0), start: 0, end: 0 };

export function readLength(buf: Buffer, at: number): number {
  return (
    (buf[at] as number) |
    ((buf[at + 1] as number) << 8) |
    ((buf[at + 2] as number) << 16) |
    ((buf[at + 3] as number) << 24)
  );
}

export function skipName(buf: Buffer, at: number): number {
  let end = at;
  while (buf[end] !== 0) {
    if (end >= buf.length) throw new RangeError('a BSON name has no end');
    end += 1;
  }
  return end + 1;
}

/** Where the value that starts at `at` ends. */
export function valueEnd(type: number, buf: Buffer, at: number): number {
  switch (type) {
    case Type.double:
    case Type.date:
    case Type.timestamp:
    case Type.int64:
      return at + 8;
    case Type.string:
    case Type.code:
    case Type.symbol:
      return at + 4 + readLength(buf, at);
    case Type.object:
    case Type.array:
    case Type.codeWithScope:
      return at + readLength(buf, at);
    case Type.binary:
      return at + 5 + readLength(buf, at);
    case Type.objectId:
      return at + 12;
    case Type.boolean:
      return at + 1;
    case Type.int32:
      return at + 4;
    case Type.decimal128:
      return at + 16;
    case Type.regex:
      return skipName(buf, skipName(buf, at));
    case Type.dbPointer:
      return at + 16 + readLength(buf, at);
    case Type.undefined:
    case Type.null:
    case Type.minKey:
    case Type.maxKey:
      return at;
    default:
      throw new RangeError(`BSON has no type ${type}`);
  }
}

/** The elements of the document or array that starts at `start`. For hot paths write the loop out instead. */
export function elements(buf: Buffer, start = 0): { name: string; value: RawValue }[] {
  const found: { name: string; value: RawValue }[] = [];
  const end = start + readLength(buf, start) - 1;
  let at = start + 4;
  while (at < end) {
    const type = buf[at] as number;
    const valueStart = skipName(buf, at + 1);
    const stop = valueEnd(type, buf, valueStart);
    found.push({
      name: buf.toString('utf8', at + 1, valueStart - 1),
      value: { type, buf, start: valueStart, end: stop },
    });
    at = stop;
  }
  return found;
}

/** Whether the element whose name begins at `at` has this one. */
export function hasName(buf: Buffer, at: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i += 1) {
    if (buf[at + i] !== name[i]) return false;
  }
  return buf[at + name.length] === 0;
}

/** Offset of the type byte of the named element, or -1. A number, so that looking for a field allocates nothing. */
export function findElement(buf: Buffer, start: number, name: Buffer): number {
  const end = start + readLength(buf, start) - 1;
  let at = start + 4;
  while (at < end) {
    if (hasName(buf, at + 1, name)) return at;
    at = valueEnd(buf[at] as number, buf, skipName(buf, at + 1));
  }
  return -1;
}

export function getField(buf: Buffer, start: number, name: Buffer): RawValue {
  const at = findElement(buf, start, name);
  if (at < 0) return missing;
  const type = buf[at] as number;
  const valueStart = at + name.length + 2;
  return { type, buf, start: valueStart, end: valueEnd(type, buf, valueStart) };
}

/** Walks a document that came from outside, so that everything after this may trust its lengths. */
export function assertWellFormed(buf: Buffer, start = 0, limit = buf.length, depth = 0): void {
  if (depth > 180) throw new RangeError('a document is nested more than 180 levels deep');
  const size = readLength(buf, start);
  const end = start + size - 1;
  if (size < 5 || end >= limit || buf[end] !== 0) throw new RangeError('a BSON document has a wrong length');
  let at = start + 4;
  while (at < end) {
    const type = buf[at] as number;
    const valueStart = skipName(buf, at + 1);
    const stop = valueEnd(type, buf, valueStart);
    if (stop > end || stop < valueStart) throw new RangeError('a BSON value has a wrong length');
    if (type === Type.object || type === Type.array) assertWellFormed(buf, valueStart, end, depth + 1);
    at = stop;
  }
  if (at !== end) throw new RangeError('a BSON document has a wrong length');
}

export function isNumeric(type: number): boolean {
  return type === Type.int32 || type === Type.double || type === Type.int64 || type === Type.decimal128;
}
