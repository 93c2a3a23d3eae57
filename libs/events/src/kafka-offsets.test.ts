import { describe, expect, it } from '@jest/globals';
import { createOffsets } from './kafka-offsets.ts';

/** Every order in which so many may end. */
function ordersOf(left: readonly number[]): number[][] {
  if (left.length === 0) return [[]];
  return left.flatMap((one) => ordersOf(left.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

describe('how far a partition is done', () => {
  it('is up to the first that is not, in every order in which five may end and with gaps between offsets', () => {
    const positions = ['3', '4', '9', '10', '12'];
    for (const order of ordersOf([0, 1, 2, 3, 4])) {
      const offsets = createOffsets();
      const finish = positions.map((position) => offsets.take(position));
      const done = new Set<number>();
      for (const at of order) {
        finish[at]!();
        done.add(at);
        const open = positions.findIndex((_position, index) => !done.has(index));
        const before = open < 0 ? positions.length : open;
        const wanted = before === 0 ? undefined : String(Number(positions[before - 1]) + 1);
        expect({ order, due: offsets.due(), ahead: offsets.ahead() }).toEqual({
          order,
          due: wanted,
          ahead: positions.length - before,
        });
      }
    }
  });

  it('is due until that very place is committed, and due again when it is further by then', () => {
    const offsets = createOffsets();
    const [first, second] = [offsets.take('0'), offsets.take('1')];
    first();
    const asked = offsets.due();
    second();
    offsets.note(asked!);
    expect([asked, offsets.due()]).toEqual(['1', '2']);
    offsets.note('2');
    expect(offsets.due()).toBeUndefined();
  });

  it('counts on beyond what a number holds, and over thousands of messages behind one that is slow', () => {
    const offsets = createOffsets();
    const start = 9_007_199_254_740_993n;
    const slow = offsets.take(String(start));
    for (let at = 1n; at < 5_000n; at += 1n) offsets.take(String(start + at))();
    expect([offsets.due(), offsets.ahead()]).toEqual([undefined, 5_000]);
    slow();
    expect([offsets.due(), offsets.ahead()]).toEqual([String(start + 5_000n), 0]);
    offsets.take(String(start + 5_000n))();
    expect(offsets.due()).toBe(String(start + 5_001n));
  });
});
