import { expect, it } from '@jest/globals';
import { dayPeriod, totalOf } from './undo-total.ts';

const removed = { emailId: 'eml_1', because: 'A person removed the label since.' };
const sent = { emailId: 'eml_2', because: 'A message that was sent cannot be undone.' };

it('answers of one undo add up, and the effects that stay are counted by their reason', () => {
  const none = { undone: 0, stays: [] };
  const first = totalOf(none, { undone: 3, stays: [removed], nextCursor: 'more' });
  expect(totalOf(first, { undone: 2, stays: [sent, removed], nextCursor: null })).toEqual({
    undone: 5,
    stays: [
      { because: removed.because, count: 2 },
      { because: sent.because, count: 1 },
    ],
  });
});

it('a period has the whole of its last day', () => {
  const { from, to } = dayPeriod('2026-03-01', '2026-03-01');
  expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000 - 1);
});
