import { expect, it } from '@jest/globals';
import { isFirstSync, progressOfSync } from './progress.ts';

const folder = (done: number, total: number, isComplete = false) => ({
  name: 'INBOX',
  type: 'INBOX',
  done,
  total,
  isComplete,
});

it('is a first sync until every folder was read to its end', () => {
  expect(isFirstSync(null)).toBe(false);
  expect(isFirstSync({ folders: [] })).toBe(true);
  expect(isFirstSync({ folders: [folder(3, 3, true), folder(0, 2)] })).toBe(true);
  expect(isFirstSync({ folders: [folder(3, 3, true)] })).toBe(false);
});

it('says 100% at the end alone, and counts what came in meanwhile', () => {
  expect(progressOfSync({ folders: [folder(5, 5)] })).toEqual({ done: 5, total: 5, percent: 99 });
  expect(progressOfSync({ folders: [folder(7, 5, true)] })).toEqual({ done: 7, total: 7, percent: 100 });
  expect(progressOfSync({ folders: [folder(1, 3), folder(0, 1)] }).percent).toBe(25);
  expect(progressOfSync(null)).toEqual({ done: 0, total: 0, percent: 0 });
});
