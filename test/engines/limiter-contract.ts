import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Limiter } from '@postroom/limits/limiter';
import { memoryLimiter } from '@postroom/limits/memory-limiter';
import { systemClock } from '@postroom/runtime/clock';

const premium = { perMinute: 120, perMonth: 10_000 };

/** Tests that every limiter must pass, because the gateway relies on them. `limiters` share their counters. */
export function limiterContract(limiters: () => readonly Limiter[]): void {
  const first = (): Limiter => limiters()[0]!;
  describe('the minute', () => {
    minute(first);
  });
  describe('the month', () => {
    month(first);
  });
  describe('both windows', () => {
    reads(first);
  });
  describe('together', () => {
    together(limiters);
  });
}

function minute(limiter: () => Limiter): void {
  it('every admitted request counts one and nothing of the month', async () => {
    const id = randomUUID();
    const first = await limiter().admit(id, premium);
    const second = await limiter().admit(id, premium);
    expect(first).toMatchObject({
      allowed: true,
      minute: { limit: 120, remaining: 119 },
      month: { used: 0, remaining: 10_000 },
    });
    expect(second.minute).toEqual({ ...first.minute, remaining: 118 });
    expect(first.refusedBy).toBeUndefined();
    expect(first.retryAfter).toBeUndefined();
  });

  it('a full minute refuses, says when to come back, and remaining stays at 0', async () => {
    const id = randomUUID();
    const one = { ...premium, perMinute: 1 };
    const admitted = await limiter().admit(id, one);
    for (let call = 0; call < 3; call += 1) {
      const refused = await limiter().admit(id, one);
      expect(refused).toMatchObject({
        allowed: false,
        refusedBy: 'minute',
        minute: { ...admitted.minute, remaining: 0 },
      });
      expect(refused.retryAfter).toBeGreaterThanOrEqual(1);
      expect(refused.retryAfter).toBeLessThanOrEqual(60);
    }
  });

  it('a refused minute charges nothing to the month', async () => {
    const id = randomUUID();
    await limiter().admitAndCharge(id, { ...premium, perMinute: 1 }, 1);
    const refused = await limiter().admitAndCharge(id, { ...premium, perMinute: 1 }, 1);
    expect(refused).toMatchObject({ refusedBy: 'minute', month: { used: 1 } });
  });

  it('a plan with more lets more in within the same window', async () => {
    const id = randomUUID();
    await limiter().admit(id, { ...premium, perMinute: 1 });
    expect(await limiter().admit(id, premium)).toMatchObject({ allowed: true, minute: { remaining: 118 } });
  });
}

function month(limiter: () => Limiter): void {
  it('a charge that does not fit charges nothing', async () => {
    const id = randomUUID();
    const ten = { ...premium, perMonth: 10 };
    await limiter().charge(id, ten, 8);
    expect(await limiter().charge(id, ten, 3)).toMatchObject({
      refusedBy: 'month',
      month: { used: 8, remaining: 2 },
    });
    expect(await limiter().charge(id, ten, 2)).toMatchObject({ allowed: true, month: { used: 10, remaining: 0 } });
  });

  it('a request refused by the quota has still counted against the minute', async () => {
    const id = randomUUID();
    const verdict = await limiter().admitAndCharge(id, { ...premium, perMonth: 0 }, 1);
    expect(verdict).toMatchObject({ refusedBy: 'month', minute: { remaining: 119 } });
    expect(verdict.retryAfter).toBeGreaterThanOrEqual(1);
  });

  it('a charge leaves the minute alone, and one of nothing is allowed on a spent quota', async () => {
    const id = randomUUID();
    await limiter().charge(id, { ...premium, perMonth: 1 }, 1);
    const free = await limiter().charge(id, { ...premium, perMonth: 1 }, 0);
    expect(free).toMatchObject({ allowed: true, minute: { remaining: 120 }, month: { used: 1, remaining: 0 } });
  });

  it('a refund gives back, never more than was used, and nothing of a month that is over', async () => {
    const id = randomUUID();
    const charged = await limiter().charge(id, premium, 10);
    expect(await limiter().refund(id, premium, 4, charged.month.resetAt)).toMatchObject({ month: { used: 6 } });
    expect(await limiter().refund(id, premium, 4, charged.month.resetAt - 86_400)).toMatchObject({
      month: { used: 6 },
    });
    expect(await limiter().refund(id, premium, 40)).toMatchObject({ allowed: true, month: { used: 0 } });
  });

  it('is over on the 1st at 00:00 UTC', async () => {
    const { month } = await limiter().admit(randomUUID(), premium);
    const ends = new Date(month.resetAt * 1000);
    expect(ends.toISOString()).toMatch(/-01T00:00:00\.000Z$/);
    expect(month.resetAt * 1000).toBeGreaterThan(Date.now());
  });

  it('workspaces do not count for each other', async () => {
    await limiter().admitAndCharge(randomUUID(), premium, 5);
    expect(await limiter().admit(randomUUID(), premium)).toMatchObject({
      minute: { remaining: 119 },
      month: { used: 0 },
    });
  });
}

function reads(limiter: () => Limiter): void {
  it('a look tells how both windows stand, and changes neither', async () => {
    const id = randomUUID();
    const before = await limiter().read(id, premium);
    expect(before).toMatchObject({ allowed: true, minute: { remaining: 120 }, month: { used: 0 } });
    const charged = await limiter().admitAndCharge(id, { ...premium, perMinute: 1 }, 7);
    for (let read = 0; read < 2; read += 1) {
      const seen = await limiter().read(id, { perMinute: 1, perMonth: 7 });
      expect(seen).toMatchObject({ allowed: true, minute: charged.minute, month: { used: 7, remaining: 0 } });
    }
  });
}

function together(limiters: () => readonly Limiter[]): void {
  it('2,000 concurrent calls through every limiter admit exactly the limit, and never charge past the quota', async () => {
    const plan = fc.record({
      perMinute: fc.integer({ min: 0, max: 2_500 }),
      perMonth: fc.integer({ min: 0, max: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 4 }), async (allowance, units) => {
        const id = randomUUID();
        const all = limiters();
        const calls = Array.from({ length: 2_000 }, (_, at) =>
          all[at % all.length]!.admitAndCharge(id, allowance, units),
        );
        const verdicts = await Promise.all(calls);
        const admitted = verdicts.filter((verdict) => verdict.refusedBy !== 'minute');
        const charged = verdicts.filter((verdict) => verdict.allowed);
        expect(admitted).toHaveLength(Math.min(2_000, allowance.perMinute));
        expect(charged).toHaveLength(Math.min(admitted.length, Math.floor(allowance.perMonth / units)));
        // Each admitted call sees a different number left, so no two of them were counted as one.
        const remaining = admitted.map((verdict) => verdict.minute.remaining).sort((a, b) => b - a);
        expect(remaining).toEqual(admitted.map((_, at) => allowance.perMinute - 1 - at));
        const last = await limiters()[0]!.charge(id, allowance, 0);
        expect(last.month.used).toBe(charged.length * units);
      }),
      { numRuns: 5 },
    );
  });

  it('calls of several workspaces that come all at once are answered as if one came after the other', async () => {
    const call = fc.record({
      workspace: fc.integer({ min: 0, max: 3 }),
      operation: fc.constantFrom('admit', 'charge', 'admitAndCharge', 'refund', 'read'),
      units: fc.integer({ min: 0, max: 4 }),
      allowance: fc.record({ perMinute: fc.integer({ min: 1, max: 120 }), perMonth: fc.integer({ min: 1, max: 240 }) }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 300, maxLength: 600 }), async (calls) => {
        const run = randomUUID();
        const model = memoryLimiter(systemClock);
        const answers = async (limiter: Limiter) => {
          const verdicts = await Promise.all(
            calls.map(({ workspace, operation, allowance, units }) =>
              limiter[operation](`${run}-${workspace}`, allowance, units),
            ),
          );
          return verdicts.map(({ refusedBy, minute, month }) => [refusedBy, minute.remaining, month.used]);
        };
        expect(await answers(limiters()[0]!)).toEqual(await answers(model));
      }),
      { numRuns: 10 },
    );
  });
}
