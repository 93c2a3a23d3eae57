import { Double, Int32, Long } from 'bson';
import { CommandError } from '../errors.ts';

/** Numbers as expressions see them: each keeps its BSON kind, and a result has the wider kind of its operands. */
export type BsonNumber = Int32 | Double | Long | number;

export function isNumber(value: unknown): value is BsonNumber {
  return typeof value === 'number' || value instanceof Int32 || value instanceof Double || value instanceof Long;
}

export function numberOf(value: BsonNumber): number {
  return typeof value === 'number' ? value : value instanceof Long ? value.toNumber() : value.valueOf();
}

const isInteger = (value: BsonNumber): boolean => value instanceof Int32 || value instanceof Long;

/** A whole number in the narrowest kind that is not narrower than `long` asks for. */
export function integer(value: number | bigint, long = false): BsonNumber {
  const exact = BigInt(value);
  if (!long && BigInt.asIntN(32, exact) === exact) return new Int32(Number(exact));
  if (BigInt.asIntN(64, exact) === exact) return Long.fromBigInt(exact);
  return new Double(Number(exact));
}

const exactOf = (value: BsonNumber): bigint => (value instanceof Long ? value.toBigInt() : BigInt(numberOf(value)));

function combine(
  a: BsonNumber,
  b: BsonNumber,
  doubles: (x: number, y: number) => number,
  integers: (x: bigint, y: bigint) => bigint,
): BsonNumber {
  if (!isInteger(a) || !isInteger(b)) return new Double(doubles(numberOf(a), numberOf(b)));
  if (a instanceof Int32 && b instanceof Int32) {
    const result = doubles(a.valueOf(), b.valueOf());
    if (Number.isSafeInteger(result)) return integer(result);
  }
  return integer(integers(exactOf(a), exactOf(b)), a instanceof Long || b instanceof Long);
}

export const add = (a: BsonNumber, b: BsonNumber): BsonNumber =>
  combine(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );

export const subtract = (a: BsonNumber, b: BsonNumber): BsonNumber =>
  combine(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  );

export const multiply = (a: BsonNumber, b: BsonNumber): BsonNumber =>
  combine(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  );

export function divide(a: BsonNumber, b: BsonNumber): BsonNumber {
  if (numberOf(b) === 0) throw new CommandError(2, "can't $divide by zero");
  return new Double(numberOf(a) / numberOf(b));
}

export function modulo(a: BsonNumber, b: BsonNumber): BsonNumber {
  if (numberOf(b) === 0) throw new CommandError(16610, "can't $mod by zero");
  return combine(
    a,
    b,
    (x, y) => x % y,
    (x, y) => x % y,
  );
}

export function mapNumber(value: BsonNumber, change: (x: number) => number): BsonNumber {
  return isInteger(value)
    ? integer(change(numberOf(value)), value instanceof Long)
    : new Double(change(numberOf(value)));
}
