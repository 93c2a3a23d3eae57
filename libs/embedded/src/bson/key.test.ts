import { describe, expect, it } from '@jest/globals';
import { Double, Int32, Long, MaxKey, MinKey, ObjectId } from 'bson';
import fc from 'fast-check';
import { encodeValue } from './value.ts';
import { compareBytes, invert, keyOf } from './key.ts';

const sign = (n: number): number => Math.sign(n);
const key = (value: unknown): Buffer => keyOf(encodeValue(value));
const order = (a: unknown, b: unknown): number => sign(compareBytes(key(a), key(b)));

interface Numeric {
  value: Int32 | Double | Long;
  exact: bigint | number;
}

const numeric: fc.Arbitrary<Numeric> = fc.oneof(
  fc.integer().map((n) => ({ value: new Int32(n), exact: n })),
  fc.double({ noNaN: true }).map((n) => ({ value: new Double(n), exact: n })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => ({ value: Long.fromBigInt(n), exact: n })),
  // Where doubles begin to leave out whole numbers.
  fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n }).map((n) => ({ value: Long.fromBigInt(n), exact: n })),
  fc.integer({ min: -4, max: 4 }).map((n) => ({ value: new Double(2 ** 53 + 2 * n), exact: 2 ** 53 + 2 * n })),
);

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\u0001', 'ÿ', '€', '😀'), maxLength: 5 });
const scalar = fc.oneof(
  text,
  numeric.map(({ value }) => value),
  fc.date({ noInvalidDate: true }),
  fc.boolean(),
  fc.constant(null),
);

describe('keyOf', () => {
  it('orders numbers of all kinds by what they are worth', () => {
    fc.assert(
      fc.property(numeric, numeric, (a, b) => {
        const expected = a.exact < b.exact ? -1 : a.exact > b.exact ? 1 : 0;
        expect(order(a.value, b.value)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('puts NaN below every number, and takes both zeros for one', () => {
    expect(order(NaN, -Infinity)).toBe(-1);
    expect(order(new Double(-0), new Int32(0))).toBe(0);
  });

  it('orders text by its bytes, zeros included', () => {
    fc.assert(
      fc.property(text, text, (a, b) => expect(order(a, b)).toBe(sign(Buffer.compare(Buffer.from(a), Buffer.from(b))))),
    );
  });

  it('orders values joined to one key field by field, in either direction', () => {
    const inverted = (value: unknown): Buffer => {
      const bytes = Buffer.from(key(value));
      invert(bytes, 0, bytes.length);
      return bytes;
    };
    fc.assert(
      fc.property(fc.tuple(scalar, scalar), fc.tuple(scalar, scalar), ([a1, a2], [b1, b2]) => {
        const expected = order(a1, b1) || order(a2, b2);
        expect(sign(compareBytes(Buffer.concat([key(a1), key(a2)]), Buffer.concat([key(b1), key(b2)])))).toBe(expected);
        const downwards = order(b1, a1) || order(a2, b2);
        expect(sign(compareBytes(Buffer.concat([inverted(a1), key(a2)]), Buffer.concat([inverted(b1), key(b2)])))).toBe(
          downwards,
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('orders the types as MongoDB does', () => {
    const ascending = [
      new MinKey(),
      null,
      1,
      'a',
      { a: 1 },
      [1],
      Buffer.from('x'),
      new ObjectId(),
      false,
      new Date(0),
      /x/,
      new MaxKey(),
    ];
    for (const [i, value] of ascending.slice(1).entries()) expect(order(ascending[i], value)).toBe(-1);
  });

  it('compares objects by type, name and value of their fields, in their own order', () => {
    expect(order({ a: 1 }, { a: 1, b: 1 })).toBe(-1);
    expect(order({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(-1);
    expect(order({ b: 1 }, { a: 'x' })).toBe(-1);
    expect(order([1, 2], [1, 2, 3])).toBe(-1);
  });
});
