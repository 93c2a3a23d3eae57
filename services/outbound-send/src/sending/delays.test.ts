import { expect, it } from '@jest/globals';
import { unstoredDelay } from './delays.ts';

const HOUR_MS = 3_600_000;
const sentAt = new Date(0);
const delays = (wasUnavailable: boolean) =>
  [0, 20_000, HOUR_MS, 100 * HOUR_MS].map((now) => unstoredDelay({ updatedAt: sentAt }, now, wasUnavailable));

it('a sent message whose storing is refused is tried at growing intervals', () => {
  expect(delays(false)).toEqual([5_000, 20_000, HOUR_MS, 6 * HOUR_MS]);
});

it('a sent message waits half a minute at most between tries while mailbox-write is unavailable', () => {
  expect(delays(true)).toEqual([5_000, 20_000, 30_000, 30_000]);
});
