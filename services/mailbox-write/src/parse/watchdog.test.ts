import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createWatchdog } from './watchdog.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A processor of which the process has a share, and work that never answers. */
async function bitesAfter(share: number): Promise<number> {
  const started = performance.now();
  let bitten = 0;
  const watchdog = createWatchdog(
    () => (bitten = performance.now() - started),
    () => performance.now() * share,
  );
  watchdog.watch(1_000);
  for (let ms = 0; ms < 10_000 && bitten === 0; ms += 10) await jest.advanceTimersByTimeAsync(10);
  return bitten;
}

describe('work that never answers', () => {
  it('is ended at the limit where the processor is its own', async () => {
    expect(await bitesAfter(1)).toBeLessThan(1_100);
  });

  it('is not given longer because other threads of the process work beside it', async () => {
    expect(await bitesAfter(2)).toBeGreaterThanOrEqual(1_000);
  });

  it('is given the time that it could not run, on a machine that is busy', async () => {
    const half = await bitesAfter(0.5);
    expect(half).toBeGreaterThanOrEqual(2_000);
    expect(half).toBeLessThan(2_200);
  });

  it('is ended in the end, though it takes no processor time at all', async () => {
    const none = await bitesAfter(0);
    expect(none).toBeGreaterThanOrEqual(4_000);
    expect(none).toBeLessThan(4_500);
  });
});

describe('a sign of life', () => {
  it('begins the limit anew, and rest ends it', async () => {
    const bite = jest.fn();
    const watchdog = createWatchdog(bite, () => performance.now());
    for (let n = 0; n < 5; n += 1) {
      watchdog.watch(1_000);
      await jest.advanceTimersByTimeAsync(900);
    }
    watchdog.rest();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(bite).not.toHaveBeenCalled();
  });
});
