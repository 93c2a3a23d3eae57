import { expect, it } from '@jest/globals';
import { unstoredDelay } from './delays.ts';

const HOUR_MS = 3_600_000;
const sentAt = new Date(0);
const delays = (wasUnavailable: boolean) =>
  [0, 20_000, HOUR_MS, 100 * HOUR_MS].map((now) => unstoredDelay({ updatedAt: sentAt }, now, wasUnavailable));

it('what was sent and is refused a place is tried ever seldomer', () => {
  expect(delays(false)).toEqual([5_000, 20_000, HOUR_MS, 6 * HOUR_MS]);
});

it('what was sent while nobody was there to store it waits half a minute at most, however long that goes on', () => {
  expect(delays(true)).toEqual([5_000, 20_000, 30_000, 30_000]);
});
