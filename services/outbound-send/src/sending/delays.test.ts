import { expect, it } from '@jest/globals';
import { unavailableDelay, unstoredDelay } from './delays.ts';

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

it('a message that waited for its approval is given up a day after that, and another a day after it was made', () => {
  const approvedAt = new Date(23 * HOUR_MS);
  const waits = (kind: 'approved' | 'forward', hours: number) =>
    unavailableDelay({ kind, createdAt: sentAt, scheduledSendAt: approvedAt }, hours * HOUR_MS) !== undefined;
  expect([waits('approved', 46), waits('approved', 47), waits('forward', 23), waits('forward', 24)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
