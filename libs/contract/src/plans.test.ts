import { describe, expect, it } from '@jest/globals';
import { planInForce, planLimits } from './plans.ts';

const now = Date.parse('2026-06-01T00:00:00Z');

describe('the plan in force', () => {
  it('is the one bought while it has no end', () => {
    expect(planInForce('expert', null, now)).toBe('expert');
  });

  it('is the one bought until the last millisecond', () => {
    expect(planInForce('premium', now + 1, now)).toBe('premium');
  });

  it('is free from the moment the subscription ends', () => {
    expect(planInForce('premium', now, now)).toBe('free');
  });

  it('is free where nobody knows the plan', () => {
    expect(planInForce('platinum', null, now)).toBe('free');
  });
});

it('plans allow what was published', () => {
  expect(planLimits).toEqual({
    free: { perMinute: 60, perMonth: 10_000, activeKeys: 2 },
    premium: { perMinute: 300, perMonth: 200_000, activeKeys: 10 },
    expert: { perMinute: 1_000, perMonth: 1_000_000, activeKeys: 50 },
  });
});
