import { describe, expect, it } from '@jest/globals';
import { keyCap, planInForce } from './plan.ts';

const now = Date.parse('2026-06-01T00:00:00Z');

describe('the plan in force', () => {
  it('is the one bought while it has no end', () => {
    expect(planInForce({ plan: 'expert', planUntil: null }, now)).toBe('expert');
  });

  it('is the one bought until the last millisecond', () => {
    expect(planInForce({ plan: 'premium', planUntil: new Date(now + 1) }, now)).toBe('premium');
  });

  it('is free from the moment the subscription ends', () => {
    expect(planInForce({ plan: 'premium', planUntil: new Date(now) }, now)).toBe('free');
  });

  it('caps active keys at 2, 10 and 50', () => {
    expect([keyCap('free'), keyCap('premium'), keyCap('expert')]).toEqual([2, 10, 50]);
  });
});
