import { expect, it } from '@jest/globals';
import { readListCursor, writeListCursor } from './list-cursor.ts';

const position = { createdAt: new Date('2026-03-01T00:00:00Z'), id: 'dlv_1' };
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it('gives the position back, for the same list', () => {
  expect(readListCursor('whk_1 ', writeListCursor('whk_1 ', position))).toEqual(position);
});

it.each([
  ['of another list', writeListCursor('whk_2 ', position)],
  ['with a moment that no date names', encoded([9e15, 'dlv_1', 'whk_1 '])],
  ['with a moment before 1970', encoded([-1, 'dlv_1', 'whk_1 '])],
  ['with another form', encoded(['2026', 'dlv_1', 'whk_1 '])],
  ['that is no JSON', 'x'],
])('400 VALIDATION_FAILED for a cursor %s', (_what, cursor) => {
  expect(() => readListCursor('whk_1 ', cursor)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
});
