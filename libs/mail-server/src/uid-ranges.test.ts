import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromRanges, holds, mergedRanges, toRanges, without } from './uid-ranges.ts';

const uid = fc.integer({ min: 1, max: 40 });
const uids = fc.array(uid, { maxLength: 30 });
const range = fc.tuple(uid, uid).map(([first, last]) => ({ first, last }));
const ranges = fc.array(range, { maxLength: 8 });

const inside = (all: readonly { first: number; last: number }[]) =>
  Array.from({ length: 42 }, (_, at) => at).filter((one) => all.some(({ first, last }) => first <= one && one <= last));
const sorted = (all: readonly number[]) => [...new Set(all)].toSorted((a, b) => a - b);

// Callers delete messages by these ranges, so every result is compared with plain sets.
describe('ranges of UIDs', () => {
  it('hold the UIDs they are made of, each once, in as few ranges as there can be', () => {
    fc.assert(
      fc.property(uids, (all) => {
        const made = toRanges(all);
        expect(fromRanges(made)).toEqual(sorted(all));
        made.slice(1).forEach(({ first }, at) => expect(first).toBeGreaterThan((made[at]?.last ?? 0) + 1));
      }),
    );
  });

  it('say the same in their order as in any other, and nothing of one that ends before it begins', () => {
    fc.assert(
      fc.property(ranges, (all) => {
        expect(fromRanges(mergedRanges(all))).toEqual(inside(all));
      }),
    );
  });

  it('without some hold all the others', () => {
    fc.assert(
      fc.property(ranges, uids, (all, taken) => {
        const left = without(mergedRanges(all), sorted(taken));
        expect(fromRanges(left)).toEqual(inside(all).filter((one) => !taken.includes(one)));
        expect(left.filter(({ first, last }) => first > last)).toEqual([]);
      }),
    );
  });

  it('hold a UID or do not', () => {
    fc.assert(
      fc.property(ranges, uid, (all, one) => {
        expect(holds(mergedRanges(all), one)).toBe(inside(all).includes(one));
      }),
    );
  });
});
