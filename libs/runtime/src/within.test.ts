import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { manualClock } from './clock.ts';
import { resultWithin, within } from './within.ts';

const MS = 100;
const after = (clock: ReturnType<typeof manualClock>, ms: number, answer: () => Promise<number>) =>
  clock.sleep(ms).then(answer);

it('gives the result or the error of work that ends in time, else its own error, for any duration', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(2 * MS), fc.boolean(), async (duration, fails) => {
      fc.pre(duration !== MS);
      const clock = manualClock(0);
      const answer = () => (fails ? Promise.reject(new Error('broken')) : Promise.resolve(7));
      let isAborted = false;
      const outcome = within({ ms: MS, clock }, (signal) => {
        signal.addEventListener('abort', () => (isAborted = true));
        return after(clock, duration, answer);
      }).catch((error: Error) => error.message);
      await clock.advance(3 * MS);
      const inTime = fails ? 'broken' : 7;
      expect(await outcome).toBe(duration < MS ? inTime : `not done within ${MS} ms`);
      expect(isAborted).toBe(duration > MS);
      expect(clock.sleeping).toBe(0);
    }),
  );
});

it('rejects with the error of the caller, and hands it on by the signal', async () => {
  const clock = manualClock(0);
  let reason: unknown;
  const tooLate = new Error('the server took too long');
  const outcome = within({ ms: MS, clock, tooLate: () => tooLate }, (signal) => {
    signal.addEventListener('abort', () => (reason = signal.reason));
    return new Promise<never>(() => undefined);
  }).catch((error: unknown) => error);
  await clock.advance(MS);
  expect(await outcome).toBe(tooLate);
  expect(reason).toBe(tooLate);
});

it('rejects where the work throws before its first await', async () => {
  const clock = manualClock(0);
  const work = () => {
    throw new Error('broken');
  };
  await expect(within({ ms: MS, clock }, work)).rejects.toThrow('broken');
  expect(clock.sleeping).toBe(0);
});

describe('resultWithin', () => {
  it('is undefined when the promise is late, and throws its error when it is not', async () => {
    const clock = manualClock(0);
    const late = resultWithin({ ms: MS, clock }, clock.sleep(MS + 1));
    await clock.advance(MS);
    expect(await late).toBeUndefined();
    expect(await resultWithin({ ms: MS, clock }, Promise.resolve(7))).toBe(7);
    await expect(resultWithin({ ms: MS, clock }, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
