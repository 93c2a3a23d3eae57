import { expect, it } from '@jest/globals';
import { backoffMs, failuresAfter } from './backoff.ts';

it('a provider is left alone longer with each failure, at most a quarter of an hour, and never by all at once', () => {
  const within = (failures: number, plain: number) => {
    const rests = Array.from({ length: 200 }, (_, at) => backoffMs(`mbx_${at}`, failures));
    expect(Math.min(...rests)).toBeGreaterThanOrEqual(plain * 0.7);
    expect(Math.max(...rests)).toBeLessThanOrEqual(plain * 1.3);
    expect(new Set(rests).size).toBeGreaterThan(150);
  };
  within(1, 5_000);
  within(3, 20_000);
  within(50, 900_000);
});

it('a provider that breaks a bound is left alone longer each time, also where each connection lasts for minutes', () => {
  const pauses = (isOverBound: boolean) => {
    let failures = 0;
    return Array.from({ length: 8 }, () => {
      failures = failuresAfter(failures, { lastedMs: 300_000, isOverBound });
      return backoffMs('mbx_1', failures);
    });
  };
  expect(new Set(pauses(false)).size).toBe(1);
  expect(pauses(true).toSorted((one, other) => one - other)).toEqual(pauses(true));
  expect(pauses(true).at(-1)).toBeGreaterThan(500_000);
  expect(failuresAfter(20, { lastedMs: 3_700_000, isOverBound: true })).toBe(1);
});
