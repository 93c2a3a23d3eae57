import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { memoryLimiter } from './memory-limiter.ts';

const free = { perMinute: 60, perMonth: 1_000 };
const at = (iso: string) => {
  let time = Date.parse(iso);
  return { now: () => time, advance: (ms: number) => (time += ms) };
};

describe('limits in one process', () => {
  it('a window opens with its first request and is over 60 s later, not at the turn of the minute', async () => {
    const clock = at('2026-11-21T10:00:42.500Z');
    const limiter = memoryLimiter(clock);
    const first = await limiter.admit('w', { ...free, perMinute: 2 });
    expect(first.minute).toEqual({ limit: 2, remaining: 1, resetAt: Date.parse('2026-11-21T10:01:43Z') / 1000 });
    await limiter.admit('w', { ...free, perMinute: 2 });
    clock.advance(59_999);
    expect(await limiter.admit('w', { ...free, perMinute: 2 })).toMatchObject({ refusedBy: 'minute', retryAfter: 1 });
    clock.advance(1);
    expect(await limiter.admit('w', { ...free, perMinute: 2 })).toMatchObject({
      allowed: true,
      minute: { remaining: 1 },
    });
  });

  it('the quota is whole again on the 1st at 00:00 UTC, in December too', async () => {
    const clock = at('2026-12-31T23:59:59.999Z');
    const limiter = memoryLimiter(clock);
    const spent = await limiter.charge('w', free, 1_000);
    expect(spent.month).toEqual({ quota: 1_000, used: 1_000, remaining: 0, resetAt: Date.UTC(2027, 0, 1) / 1000 });
    expect(await limiter.charge('w', free, 1)).toMatchObject({ allowed: false, refusedBy: 'month', retryAfter: 1 });
    clock.advance(1);
    expect(await limiter.charge('w', free, 1)).toMatchObject({ allowed: true, month: { used: 1 } });
  });

  it('a refund of last month leaves the new month alone', async () => {
    const clock = at('2026-11-30T23:59:59Z');
    const limiter = memoryLimiter(clock);
    const reserved = await limiter.charge('w', free, 500);
    clock.advance(2_000);
    await limiter.charge('w', free, 10);
    const after = await limiter.refund('w', free, 499, reserved.month.resetAt);
    expect(after.month.used).toBe(10);
  });

  it('a clock that was an hour ahead and is put right locks nobody out', async () => {
    const clock = at('2026-11-21T11:00:00Z');
    const limiter = memoryLimiter(clock);
    await limiter.admit('w', { ...free, perMinute: 1 });
    clock.advance(-3_600_000);
    expect(await limiter.admit('w', { ...free, perMinute: 1 })).toMatchObject({ allowed: true });
  });

  it('in any order of calls, used never passes the quota and equals the charges less the refunds', async () => {
    const call = fc.record({
      op: fc.constantFrom('charge', 'refund', 'admit'),
      units: fc.integer({ min: 0, max: 500 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
        const limiter = memoryLimiter(at('2026-11-21T10:00:00Z'));
        let ledger = 0;
        for (const { op, units } of calls) {
          const verdict =
            op === 'admit'
              ? await limiter.admit('w', free)
              : await limiter[op as 'charge' | 'refund']('w', free, units);
          if (op === 'charge' && verdict.allowed) ledger += units;
          if (op === 'refund') ledger = Math.max(0, ledger - units);
          expect(verdict.month.used).toBe(ledger);
          expect(verdict.month.used).toBeLessThanOrEqual(free.perMonth);
          expect(verdict.month.remaining).toBe(free.perMonth - ledger);
        }
      }),
    );
  });
});
