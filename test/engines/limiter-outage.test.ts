import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Limiter } from '@postroom/limits/limiter';
import { openLimiter } from '@postroom/limits/open-limiter';
import { openRedis } from '@postroom/limits/redis-connection';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { skipAloud } from '../support/skips.ts';
import { eventually } from './eventually.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const address = process.env['REDIS_URL'];
if (!address) skipAloud('limits while Redis is unavailable (REDIS_URL is not given)');

const context = { clock: systemClock, log: silentLog };
const premium = { perMinute: 120, perMonth: 10_000 };

(address ? describe : describe.skip)('limits while Redis is unavailable', () => {
  const { hostname, port } = new URL(address ?? 'redis://127.0.0.1:1');
  let proxy: TcpProxy;
  let near: Limiter;
  let far: Limiter;
  let raw: Redis;

  beforeEach(async () => {
    proxy = await openTcpProxy(hostname, Number(port));
    near = await openLimiter({ redis: { url: `redis://127.0.0.1:${proxy.port}` }, context });
    far = await openLimiter({ redis: { url: address ?? '' }, context });
    raw = openRedis({ url: address ?? '' }, silentLog) as Redis;
    await new Promise((resolve) => raw.once('ready', resolve));
  });
  afterEach(async () => {
    await Promise.all([near.close(), far.close()]);
    raw.disconnect();
    await proxy.close();
  });

  const usedThere = async (id: string) => Number(await raw.hget(`{${id}}:limits`, 'used'));
  const faults = {
    'a Redis that hangs': { begin: async () => proxy.freeze(), end: async () => proxy.thaw() },
    'a Redis that is dead': { begin: () => proxy.cut(), end: () => proxy.restore() },
  };

  for (const [name, fault] of Object.entries(faults)) {
    it(`${name}: counting goes on from the last answer of Redis, and is reconciled when it is back`, async () => {
      const id = randomUUID();
      await near.admitAndCharge(id, premium, 100);
      await fault.begin();
      // The first call meets the fault; it is answered here, and so is everything after it.
      const first = await near.admitAndCharge(id, premium, 1);
      expect(first).toMatchObject({ allowed: true, minute: { remaining: 118 }, month: { used: 101 } });
      for (let call = 0; call < 50; call += 1) await near.admitAndCharge(id, premium, 1);
      const last = await near.charge(id, premium, 0);
      expect(last).toMatchObject({ minute: { remaining: 68 }, month: { used: 151 } });
      await fault.end();
      // The call that was under way when the fault began may or may not have run; the rest is known.
      await eventually(async () => expect(await usedThere(id)).toBeGreaterThanOrEqual(150));
      expect(await usedThere(id)).toBeLessThanOrEqual(152);
      const shared = await far.admit(id, premium);
      expect(shared.minute.remaining).toBeLessThanOrEqual(68);
      expect(shared.minute.remaining).toBeGreaterThanOrEqual(65);
    });

    it(`${name}: the quota holds meanwhile`, async () => {
      const id = randomUUID();
      await near.charge(id, { ...premium, perMonth: 10 }, 8);
      await fault.begin();
      const spent = await Promise.all(
        Array.from({ length: 20 }, () => near.charge(id, { ...premium, perMonth: 10 }, 1)),
      );
      expect(spent.filter((verdict) => verdict.allowed)).toHaveLength(2);
      await fault.end();
    });
  }

  it('a Redis that comes back empty is brought up to what was known of it', async () => {
    const id = randomUUID();
    await near.admitAndCharge(id, premium, 500);
    await proxy.cut();
    await raw.del(`{${id}}:limits`);
    await near.admitAndCharge(id, premium, 5);
    await proxy.restore();
    await eventually(async () => expect(await usedThere(id)).toBe(505));
    expect(await far.admit(id, premium)).toMatchObject({ minute: { remaining: 117 }, month: { used: 505 } });
  });

  it('a refund while Redis is unavailable arrives too', async () => {
    const id = randomUUID();
    const reserved = await near.charge(id, premium, 500);
    await proxy.cut();
    await near.admit(id, premium);
    expect(await near.refund(id, premium, 450, reserved.month.resetAt)).toMatchObject({ month: { used: 50 } });
    await proxy.restore();
    await eventually(async () => expect(await usedThere(id)).toBe(50));
  });

  it('a gateway that starts without Redis limits at once, and shares when Redis appears', async () => {
    await proxy.cut();
    const late = await openLimiter({ redis: { url: `redis://127.0.0.1:${proxy.port}` }, context });
    const id = randomUUID();
    expect(await late.admitAndCharge(id, premium, 3)).toMatchObject({ allowed: true, month: { used: 3 } });
    await proxy.restore();
    await eventually(async () => expect(await usedThere(id)).toBe(3));
    await late.close();
  });
});
