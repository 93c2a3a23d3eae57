import { expect, it } from '@jest/globals';
import { traitsOf } from './wire-safe.ts';

const isSafe = (lengths: number[]): boolean =>
  traitsOf(Buffer.from(lengths.map((length) => 'x'.repeat(length)).join('\r\n'))).isSafe;

it('a line of 998 characters can be sent as it is, and no longer one, wherever it stands', () => {
  expect([[998], [10, 998, 10], [999], [10, 999, 10], [999, 10]].map(isSafe)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
