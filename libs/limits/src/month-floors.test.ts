import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { keepFloors, type FloorStore, type MonthFloors } from './month-floors.ts';

const counters = (used: number, born = 1) => ({ opened: 0, count: 0, monthEnds: 9, used, born });

describe('floors of months', () => {
  let clock: ManualClock;
  let kept: string[];
  let isUnavailable: boolean;
  let floors: MonthFloors;
  beforeEach(() => {
    clock = manualClock();
    kept = [];
    isUnavailable = false;
    const store: FloorStore = {
      keepAll: async (all) => {
        if (isUnavailable) throw new Error('away');
        for (const { workspaceId, used } of all) kept.push(`${workspaceId} ${used}`);
      },
      highest: () => Promise.reject(new Error('away')),
    };
    floors = keepFloors({ store, clock, log: silentLog });
  });
  afterEach(() => floors.close());

  it('are kept every five seconds, each as it is then', async () => {
    for (const used of [1, 2, 3]) floors.note('a', counters(used));
    await clock.advance(4_999);
    expect(kept).toEqual([]);
    await clock.advance(1);
    expect(kept).toEqual(['a 3']);
    await clock.advance(60_000);
    expect(kept).toEqual(['a 3']);
  });

  it('are kept all of them when the gateway leaves, and with the next where they could not be', async () => {
    isUnavailable = true;
    for (let at = 0; at < 1_200; at++) floors.note(`w${at}`, counters(at + 1));
    await clock.advance(5_000);
    isUnavailable = false;
    await floors.close();
    expect(new Set(kept).size).toBe(1_200);
  });

  it('are not made of what this process counted by itself', async () => {
    floors.note('a', counters(5, 0));
    await clock.advance(5_000);
    expect(kept).toEqual([]);
  });

  it('that cannot be asked for hold nobody up', async () => {
    expect(await floors.find('a', { monthEnds: 9, born: 1 })).toBeUndefined();
  });
});
