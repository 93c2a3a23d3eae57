import { expect, it } from '@jest/globals';
import { maySend } from './may-send.ts';

const row = { id: 'eml_1', date: '2026-03-02T12:00:00.000Z' };

it('a draft is sent when its text is shown', () => expect(maySend(row, { ...row })).toBe(true));

it.each([
  ['is not read yet', undefined],
  ['is that of a later state', { ...row, date: '2026-03-02T12:00:01.000Z' }],
  ['is that of another draft', { ...row, id: 'eml_2' }],
])('a draft is not sent while the text on the screen %s', (_case, shown) => expect(maySend(row, shown)).toBe(false));
