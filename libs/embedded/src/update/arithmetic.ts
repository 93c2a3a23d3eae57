import { Double, Int32, Long } from 'bson';
import { type RawValue, Type } from '../bson/raw.ts';
import { encodeValue, toNumber } from '../bson/value.ts';
import { badValue, notSupported } from '../protocol/errors.ts';

const exact = (value: RawValue): bigint =>
  value.type === Type.int64 ? value.buf.readBigInt64LE(value.start) : BigInt(value.buf.readInt32LE(value.start));

const fits = (value: bigint, bits: number): boolean => BigInt.asIntN(bits, value) === value;

/** Ints stay ints, grow to longs when they must, and never overflow silently; a double makes the result a double. */
function combine(
  a: RawValue,
  b: RawValue,
  name: string,
  ofDoubles: (x: number, y: number) => number,
  ofInts: (x: bigint, y: bigint) => bigint,
): RawValue {
  if (a.type === Type.decimal128 || b.type === Type.decimal128) throw notSupported(`${name} with a Decimal128`);
  if (a.type === Type.double || b.type === Type.double) {
    return encodeValue(new Double(ofDoubles(toNumber(a), toNumber(b))));
  }
  const result = ofInts(exact(a), exact(b));
  if (a.type === Type.int32 && b.type === Type.int32 && fits(result, 32)) return encodeValue(new Int32(Number(result)));
  if (!fits(result, 64)) throw badValue(`Failed to apply ${name}: the result does not fit into a 64-bit integer`);
  return encodeValue(Long.fromBigInt(result));
}

export const addNumbers = (a: RawValue, b: RawValue): RawValue =>
  combine(
    a,
    b,
    '$inc',
    (x, y) => x + y,
    (x, y) => x + y,
  );

export const multiplyNumbers = (a: RawValue, b: RawValue): RawValue =>
  combine(
    a,
    b,
    '$mul',
    (x, y) => x * y,
    (x, y) => x * y,
  );
