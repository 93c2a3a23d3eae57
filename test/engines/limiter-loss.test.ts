import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import type { Limiter } from '@postroom/limits/limiter';
import type { FloorStore, MonthFloor } from '@postroom/limits/month-floors';
import { openLimiter } from '@postroom/limits/open-limiter';
import { openRedis } from '@postroom/limits/redis-connection';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { skipAloud } from '../support/skips.ts';

// A real engine on a busy machine takes its time.
jest.setTimeout(60_000);

const url = process.env['REDIS_URL'] ?? '';
if (!url) skipAloud('limits that Redis loses (REDIS_URL is not given)');

const context = { clock: systemClock, log: silentLog };
const premium = { perMinute: 1_000, perMonth: 10_000 };

/** A floor store in memory, as the gateway's is in MongoDB. */
function memoryFloors(): FloorStore {
  const all = new Map<string, MonthFloor>();
  return {
    keepAll: async (floors) => {
      for (const { workspaceId, monthEnds, used, born } of floors) {
        const id = `${workspaceId}:${monthEnds}:${born}`;
        all.set(id, { monthEnds, born, used: Math.max(used, all.get(id)?.used ?? 0) });
      }
    },
    highest: async (workspaceId, { monthEnds, born }) =>
      [...all]
        .filter(([id, floor]) => id.startsWith(workspaceId) && floor.monthEnds === monthEnds && floor.born !== born)
        .map(([, floor]) => floor)
        .sort((a, b) => b.used - a.used)[0],
  };
}

(url ? describe : describe.skip)('a month that Redis loses', () => {
  let floors: FloorStore;
  let open: Limiter[];
  let raw: Redis;
  const gateway = async () => {
    const limiter = await openLimiter({ redis: { url }, floors, context });
    open.push(limiter);
    return limiter;
  };

  beforeEach(async () => {
    floors = memoryFloors();
    open = [];
    raw = openRedis({ url }, silentLog) as Redis;
    await new Promise<void>((resolve) => raw.once('ready', () => resolve()));
  });
  afterEach(async () => {
    await Promise.all(open.map((limiter) => limiter.close()));
    raw.disconnect();
  });

  const lose = (id: string) => raw.del(`{${id}}:limits`);
  const charge = async (limiter: Limiter, id: string, units = 1) =>
    (await limiter.admitAndCharge(id, premium, units)).month.used;

  it('is whole again in the answer to the next call', async () => {
    const id = randomUUID();
    const near = await gateway();
    expect(await charge(near, id, 70)).toBe(70);
    await lose(id);
    expect(await charge(near, id)).toBe(71);
    expect(await charge(near, id)).toBe(72);
  });

  it('is whole again in the answer to a read', async () => {
    const id = randomUUID();
    const near = await gateway();
    await charge(near, id, 70);
    await lose(id);
    expect((await near.read(id, premium)).month.used).toBe(70);
  });

  it('is whole again after a hundred calls that met the loss at once', async () => {
    const id = randomUUID();
    const near = await gateway();
    await charge(near, id, 70);
    await lose(id);
    const seen = await Promise.all(Array.from({ length: 100 }, () => charge(near, id)));
    expect(Math.min(...seen)).toBeGreaterThan(70);
    expect(await charge(near, id, 0)).toBe(170);
  });

  it('gets from each gateway what it alone knew, once', async () => {
    const id = randomUUID();
    const [near, far] = [await gateway(), await gateway()];
    await charge(near, id, 60);
    await charge(far, id, 10);
    await lose(id);
    expect(await charge(near, id)).toBe(61);
    expect(await charge(far, id)).toBe(72);
    expect(await charge(near, id)).toBe(73);
  });

  it('gets from the floors what no gateway knows any more', async () => {
    const id = randomUUID();
    await charge(await gateway(), id, 70);
    await open.pop()?.close();
    await lose(id);
    expect(await charge(await gateway(), id)).toBe(71);
  });

  it('leaves out what was given back, and counts a month that was never lost once', async () => {
    const id = randomUUID();
    const near = await gateway();
    await near.charge(id, premium, 100);
    await near.refund(id, premium, 30);
    await lose(id);
    expect(await charge(near, id)).toBe(71);
    expect(await charge(await gateway(), id)).toBe(72);
  });

  it('never differs from what was charged, whoever calls and whenever it is lost, once all have called again', async () => {
    const act = fc.oneof(
      fc.record({ gateway: fc.integer({ min: 0, max: 2 }), units: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ callers: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }) }),
    );
    const limiters = [await gateway(), await gateway(), await gateway()];
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30 }), async (acts) => {
        const id = randomUUID();
        let charged = 0;
        for (const done of acts) {
          const isLoss = 'callers' in done;
          if (isLoss) await lose(id);
          const units = isLoss ? 1 : done.units;
          for (const at of isLoss ? done.callers : [done.gateway]) {
            charged += units;
            await charge(limiters[at]!, id, units);
          }
        }
        expect((await limiters[0]!.charge(id, premium, 0)).month.used).toBe(charged);
      }),
      { numRuns: 50 },
    );
  });
});
