import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { type Availability, createAvailability, ModelUnavailable } from './availability.ts';

let clock: ManualClock;
let controls: number;
let isDown: boolean;
let isBusy: boolean;
let availability: Availability;
beforeEach(() => {
  clock = manualClock();
  [controls, isDown, isBusy] = [0, false, false];
  availability = createAvailability({
    clock,
    log: silentLog,
    askControl: async () => {
      controls += 1;
      if (isDown) throw new Error('down');
    },
    readFailure: () => ({ isBusy }),
  });
});

const open = new AbortController().signal;
const fails = async (): Promise<never> => {
  throw new Error('it fails');
};
const failure = (call: () => Promise<unknown> = fails, signal = open): Promise<unknown> =>
  availability.run(call, signal).then(
    () => undefined,
    (error: unknown) => error,
  );
/** The pause in which the model gets no question. */
const pause = async (call?: () => Promise<unknown>): Promise<number> => {
  const error = await failure(call);
  expect(error).toBeInstanceOf(ModelUnavailable);
  return (error as ModelUnavailable).retryAfterMs;
};

describe('an email that fails', () => {
  it('is to blame, however often and whatever else fails, where the control question is answered', async () => {
    for (let n = 0; n < 100; n += 1) expect(await failure()).toMatchObject({ message: 'it fails' });
    expect(availability.isAvailable()).toBe(true);
  });

  it('is to blame without the control question where another was answered meanwhile', async () => {
    const failing = failure(async () => {
      await availability.run(async () => 'an answer', open);
      return fails();
    });
    expect(await failing).toMatchObject({ message: 'it fails' });
    expect(controls).toBe(0);
  });

  it('because the model has too much to do is to blame only where the control question is answered then', async () => {
    [isBusy, isDown] = [true, true];
    await pause(async () => {
      await availability.run(async () => 'an answer', open);
      return fails();
    });
    expect(controls).toBe(1);
  });

  it('because its classifier closes says nothing of the model', async () => {
    const closing = new AbortController();
    const failed = await failure(async () => {
      closing.abort();
      return fails();
    }, closing.signal);
    expect([failed, controls]).toEqual([expect.objectContaining({ message: 'it fails' }), 0]);
  });
});

describe('a model that does not answer the control question either', () => {
  it('is asked it again alone, after twice the pause each time and a minute at most', async () => {
    isDown = true;
    expect(await pause()).toBe(1_000);
    for (const pauseMs of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      await clock.advance(60_000);
      expect(await availability.check()).toBe(false);
      expect(await pause(() => Promise.reject(new Error('nobody is asked')))).toBe(pauseMs);
    }
    expect(controls).toBe(8);
    await clock.advance(59_999);
    expect([await availability.check(), controls]).toEqual([false, 8]);
    isDown = false;
    await clock.advance(1);
    expect([availability.isAvailable(), await availability.check()]).toEqual([false, true]);
    expect(await availability.run(async () => 'an answer', open)).toBe('an answer');
  });

  it('is asked it once, and its pause grows once, however many emails fail at the same time', async () => {
    isDown = true;
    const all = await Promise.all(
      Array.from({ length: 64 }, (_, n) => pause(() => clock.sleep(n % 3).then(fails)).catch(() => 0)).concat(
        clock.advance(3).then(() => 0),
      ),
    );
    expect(Math.max(...all)).toBe(1_000);
    expect(controls).toBe(1);
  });
});
