import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { freeSlots } from './key-slots.ts';

describe('the slots a new key may take', () => {
  it('are all of them in an empty workspace', () => {
    expect(freeSlots([], 2)).toEqual(['0', '1']);
  });

  it('are none at the cap, wherever the keys sit', () => {
    expect(freeSlots(['0', '1'], 2)).toEqual([]);
    expect(freeSlots(['7', '8', '9'], 2)).toEqual([]);
  });

  it('leave room for keys in high slots of an earlier, larger plan', () => {
    expect(freeSlots(['9'], 2)).toEqual(['0']);
    expect(freeSlots(['2', '9'], 3)).toEqual(['0']);
  });

  it('never exceed the cap when every offered slot is taken at once, and offer one whenever there is room', () => {
    const slots = fc.uniqueArray(fc.integer({ min: 0, max: 49 }), { maxLength: 50 });
    fc.assert(
      fc.property(slots, fc.constantFrom(2, 10, 50), (numbers, cap) => {
        const taken = numbers.map(String);
        const free = freeSlots(taken, cap);
        expect(free.length === 0).toBe(taken.length >= cap);
        expect(free.length === 0 ? 0 : taken.length + free.length).toBeLessThanOrEqual(cap);
      }),
    );
  });
});
