import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Cluster, Redis } from 'ioredis';
import { END_OF_MONTH } from '@postroom/limits/limit-script';
import type { Limiter } from '@postroom/limits/limiter';
import { openLimiter } from '@postroom/limits/open-limiter';
import { openRedis } from '@postroom/limits/redis-connection';
import { redisCounters } from '@postroom/limits/redis-counters';
import { endOfMonth } from '@postroom/limits/windows';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { skipAloud } from '../support/skips.ts';
import { limiterContract } from './limiter-contract.ts';

// A real engine on a busy machine takes its time.
jest.setTimeout(60_000);

const context = { clock: systemClock, log: silentLog };
const premium = { perMinute: 120, perMonth: 10_000 };
/** A second connection, to look at the keys and to move the clock by rewriting what it is compared with. */
const rawClient = (url: string, cluster = false) => openRedis({ url, cluster }, silentLog);
const ready = (client: Redis | Cluster) => new Promise<void>((resolve) => client.once('ready', () => resolve()));

const addresses = {
  'one Redis': process.env['REDIS_URL'],
  'a Redis cluster': process.env['REDIS_CLUSTER_NODES'],
};

for (const [name, address] of Object.entries(addresses)) {
  if (!address) skipAloud(`limits on ${name} (no address given)`);
  const url = address ?? '';
  const cluster = name === 'a Redis cluster';

  (address ? describe : describe.skip)(`limits on ${name}`, () => {
    let limiters: Limiter[] = [];
    let raw: Redis | Cluster;
    beforeAll(async () => {
      limiters = await Promise.all(Array.from({ length: 4 }, () => openLimiter({ redis: { url, cluster }, context })));
      raw = rawClient(url, cluster);
      await ready(raw);
    });
    afterAll(async () => {
      await Promise.all(limiters.map((limiter) => limiter.close()));
      raw.disconnect();
    });

    limiterContract(() => limiters);

    it('a window is over 60 s after it opened, and not before', async () => {
      const id = randomUUID();
      const one = { ...premium, perMinute: 1 };
      const [limiter] = limiters;
      await limiter!.admit(id, one);
      const key = `{${id}}:limits`;
      const opened = Number(await raw.hget(key, 'opened'));
      await raw.hset(key, 'opened', opened - 30_000);
      expect(await limiter!.admit(id, one)).toMatchObject({ refusedBy: 'minute' });
      await raw.hset(key, 'opened', opened - 60_000);
      expect(await limiter!.admit(id, one)).toMatchObject({ allowed: true });
    });

    it('a count that is brought back after the turn of the month is whole, though one of the month before was', async () => {
      const id = randomUUID();
      const counters = redisCounters(raw, (call) => call());
      await limiters[0]!.charge(id, premium, 7);
      await raw.hset(`{${id}}:limits`, 'floor', 500, 'ends', Date.now() - 1);
      const lost = { minuteLeft: 0, countBefore: 0, count: 0, used: 0, born: 1, usedBefore: 300 };
      const debt = { ...lost, monthEnds: endOfMonth(Date.now()) };
      for (let told = 0; told < 2; told++) expect((await counters.sync(id, debt)).counters.used).toBe(300);
    });

    it('a count of the month before, told late, adds nothing to this one', async () => {
      const id = randomUUID();
      const counters = redisCounters(raw, (call) => call());
      const { month } = await limiters[0]!.charge(id, premium, 7);
      const monthEnds = month.resetAt * 1000 - 31 * 86_400_000;
      const debt = { minuteLeft: 0, countBefore: 0, count: 0, used: 5, born: 1, usedBefore: 300, monthEnds };
      expect((await counters.sync(id, debt)).counters.used).toBe(7);
    });

    it('the first call after the month begins at nothing, and the key expires after its month, not before', async () => {
      const id = randomUUID();
      const [limiter] = limiters;
      const { month } = await limiter!.charge(id, premium, 7);
      const key = `{${id}}:limits`;
      expect(await raw.pexpiretime(key)).toBe(month.resetAt * 1000 + 2 * 86_400_000);
      await raw.hset(key, 'ends', Date.now() - 1);
      expect(await limiter!.charge(id, premium, 1)).toMatchObject({ month: { used: 1, resetAt: month.resetAt } });
      expect(await raw.pexpiretime(key)).toBe(month.resetAt * 1000 + 2 * 86_400_000);
    });

    it('a look writes nothing: no key for a stranger, and none of a month that is over', async () => {
      const [limiter] = limiters;
      const stranger = randomUUID();
      await limiter!.read(stranger, premium);
      expect(await raw.exists(`{${stranger}}:limits`)).toBe(0);
      const id = randomUUID();
      await limiter!.charge(id, premium, 7);
      await raw.hset(`{${id}}:limits`, 'ends', Date.now() - 1);
      const kept = await raw.hgetall(`{${id}}:limits`);
      expect(await limiter!.read(id, premium)).toMatchObject({ month: { used: 0 } });
      expect(await raw.hgetall(`{${id}}:limits`)).toEqual(kept);
    });

    it('the script knows the end of every month from 1970 to 2400', async () => {
      const moment = fc.integer({ min: 0, max: Date.UTC(2400, 0, 1) });
      const script = `${END_OF_MONTH}\nlocal all = {}\nfor at, ms in ipairs(ARGV) do all[at] = endOfMonth(tonumber(ms)) end\nreturn all`;
      await fc.assert(
        fc.asyncProperty(fc.array(moment, { minLength: 200, maxLength: 200 }), async (moments) => {
          expect(await raw.eval(script, 1, 'any', ...moments)).toEqual(moments.map(endOfMonth));
        }),
      );
    });

    it('a flushed script cache is met without an error', async () => {
      const id = randomUUID();
      const [limiter] = limiters;
      await limiter!.charge(id, premium, 1);
      const nodes = 'nodes' in raw ? raw.nodes('master') : [raw];
      await Promise.all(nodes.map((node) => node.script('FLUSH')));
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter!.charge(id, premium, 1)));
      expect(Math.max(...verdicts.map((verdict) => verdict.month.used))).toBe(21);
    });
  });
}
