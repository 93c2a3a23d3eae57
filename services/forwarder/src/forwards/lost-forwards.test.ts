import { expect, it } from '@jest/globals';
import { createLostForwards } from './lost-forwards.ts';

const position = (at: number) => ({ _id: '', createdAt: new Date(at) });

it('a workspace that falls behind twice is read from the earlier position, and then counts as read', () => {
  const lost = createLostForwards(50);
  lost.fallBehind('wsp_1', position(1_000));
  lost.fallBehind('wsp_1', position(2_000));
  expect(lost.catchUp('wsp_1')).toEqual(position(1_000));
  expect(lost.isBehind('wsp_1')).toBe(false);
  lost.fallBehind('wsp_1', position(2_000));
  lost.fallBehind('wsp_1', position(1_500));
  expect(lost.catchUp('wsp_1')).toEqual(position(1_500));
});
