import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fingerprint } from './fingerprint.ts';

describe('fingerprint', () => {
  it('is the same whatever the order of the properties', () => {
    expect(fingerprint({ a: 1, b: { c: [1, 2], d: null } })).toBe(fingerprint({ b: { d: null, c: [1, 2] }, a: 1 }));
  });

  it('tells the order of an array, a number from its text, and an absent from an empty body', () => {
    expect(fingerprint([1, 2])).not.toBe(fingerprint([2, 1]));
    expect(fingerprint({ a: 1 })).not.toBe(fingerprint({ a: '1' }));
    expect(fingerprint(undefined)).not.toBe(fingerprint({}));
  });

  it('is the same for two values exactly when their JSON means the same', () => {
    const same = (a: unknown, b: unknown) => {
      try {
        expect(a).toEqual(b);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
        const [first, second] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))] as [unknown, unknown];
        return (fingerprint(first) === fingerprint(second)) === same(first, second);
      }),
    );
  });
});
