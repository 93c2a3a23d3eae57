import { expect, it } from '@jest/globals';
import { uidSetOf } from './uid-set.ts';
import { fromRanges, toRanges } from '@postroom/mail-server/uid-ranges';

it('a set of UIDs is written as IMAP writes it, each once', () => {
  expect(uidSetOf([9, 4, 8, 7, 8])).toBe('4,7:9');
});

it('ranges hold the same UIDs as their list', () => {
  expect(fromRanges(toRanges([5, 1, 2, 9]))).toEqual([1, 2, 5, 9]);
});
