import { expect, it } from '@jest/globals';
import { batchesOf } from './batches.ts';

const sizes = (...list: number[]) => list.map((size) => ({ size }));
const sizesOf = (batches: { size: number }[][]) => batches.map((batch) => batch.map(({ size }) => size));

it('batches keep the order and both bounds; what is too heavy goes alone', () => {
  const batches = batchesOf(sizes(1, 2, 3, 90, 4, 5), { count: 2, bytes: 10 });
  expect(sizesOf(batches)).toEqual([[1, 2], [3], [90], [4, 5]]);
});

it('there are no empty batches', () => {
  expect(batchesOf([], { count: 2, bytes: 10 })).toEqual([]);
});
