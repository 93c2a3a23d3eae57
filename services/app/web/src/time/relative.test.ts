import { expect, it } from '@jest/globals';
import { dayOf, daysBefore, relativeTime, utcTime } from './relative.ts';

const now = new Date('2026-03-01T12:00:00Z');
const at = (seconds: number) => relativeTime(new Date(now.getTime() + seconds * 1_000), now);

it.each([
  [0, 'just now'],
  [-44, 'just now'],
  [30, 'in a moment'],
  [-50, '1m ago'],
  [-59 * 60, '59m ago'],
  [-60 * 60, '1h ago'],
  [-26 * 3_600, '1d ago'],
  [3 * 86_400, 'in 3d'],
  [-40 * 86_400, '1mo ago'],
  [-800 * 86_400, '2y ago'],
])('%d seconds from now: %s', (seconds, words) => expect(at(seconds)).toBe(words));

it('says the exact moment in UTC, and the day before another', () => {
  expect(utcTime(new Date('2026-03-01T23:59:59.999Z'))).toBe('2026-03-01 23:59:59 UTC');
  expect(dayOf(daysBefore(now, 1))).toBe('2026-02-28');
});
