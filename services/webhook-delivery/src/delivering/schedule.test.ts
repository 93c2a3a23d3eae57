import { expect, it } from '@jest/globals';
import { afterAttempt, ANNOUNCED, type Progress } from './schedule.ts';

const at = new Date('2026-03-01T00:00:00Z');
const made = { at, durationMs: 10_000 };
const failed = { isDelivered: false, isReplay: false };
const fresh: Progress = { status: 'pending', failures: 0 };

it('five failures: 5 minutes, 30 minutes, 2 hours and 6 hours between them, and then abandoned', () => {
  const delays: (number | undefined)[] = [];
  let progress = fresh;
  while (progress.status === 'pending') {
    progress = afterAttempt(progress, made, failed, ANNOUNCED);
    delays.push(progress.nextAttemptAt && (progress.nextAttemptAt.getTime() - at.getTime() - 10_000) / 60_000);
  }
  expect([delays, progress.status]).toEqual([[5, 30, 120, 360, undefined], 'abandoned']);
});

it.each<[string, Progress]>([
  ['delivered', { status: 'delivered', failures: 2 }],
  ['abandoned', { status: 'abandoned', failures: 5 }],
  ['pending', { status: 'pending', failures: 1, nextAttemptAt: at }],
])('a failed replay leaves what is %s as it is, and one that succeeds delivers it', (_status, progress) => {
  expect(afterAttempt(progress, made, { isDelivered: false, isReplay: true }, ANNOUNCED)).toEqual(progress);
  const delivered = { status: 'delivered', failures: progress.failures };
  expect(afterAttempt(progress, made, { isDelivered: true, isReplay: true }, ANNOUNCED)).toEqual(delivered);
});
