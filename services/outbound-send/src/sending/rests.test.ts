import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createRests } from './rests.ts';

describe('rests', () => {
  it('keeps the mail of a mailbox back for longer each time its server is not there, and not at all once it is', () => {
    const clock = manualClock();
    const rests = createRests(30, clock);
    const lengths = Array.from({ length: 8 }, () => {
      rests.note('a', false);
      const began = clock.now();
      while (rests.resting().includes('a')) clock.set(clock.now() + 1_000);
      return (clock.now() - began) / 1_000;
    });
    expect(lengths).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    rests.note('a', false);
    rests.note('a', true);
    expect(rests.resting()).toEqual([]);
  });

  it("lets a minute's worth leave at once, and after that one at a time", () => {
    const clock = manualClock();
    const rests = createRests(30, clock);
    for (let sent = 0; sent < 31; sent++) rests.count('a');
    rests.count('b');
    expect(rests.resting()).toEqual(['a']);
    clock.set(clock.now() + 2_000);
    expect(rests.resting()).toEqual([]);
    rests.count('a');
    expect(rests.resting()).toEqual(['a']);
  });
});
