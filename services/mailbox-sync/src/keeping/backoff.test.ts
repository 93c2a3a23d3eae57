import { expect, it } from '@jest/globals';
import { backoffMs } from './backoff.ts';

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
