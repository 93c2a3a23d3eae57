import Redis from 'ioredis';
import { openLimiter } from '@postroom/limits/open-limiter';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { Bench } from '../bench.ts';
import { compare, type Contender } from '../compare.ts';
import { fourCommands } from '../four-commands.ts';
import { lacksRedis } from '../lacks.ts';
import { ownMicros } from '../own-micros.ts';
import { redisMeter } from '../redis-meter.ts';

const ALLOWANCE = { perMinute: 1_000_000_000, perMonth: 1_000_000_000 };
const CONCURRENCY = 32;
/** As many as there are calls under way: those of one workspace would share more than they do in a gateway. */
const WORKSPACES = CONCURRENCY;

/** One script for the minute window and the month's quota, against the four commands that would do the same by hand. */
export const limiter: Bench = {
  name: 'limiter',
  title: 'one script against four awaited commands; Redis and client together',
  lacks: lacksRedis,
  run: async ({ redisUrl = '', effort }, print) => {
    const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
    const ours = await openLimiter({ redis: { url: redisUrl }, context });
    const client = new Redis(redisUrl);
    const meter = await redisMeter(redisUrl);
    const costOf = async (work: () => Promise<void>) => {
      const before = (await meter.micros()) + ownMicros();
      await work();
      return (await meter.micros()) + ownMicros() - before;
    };
    const contender = (name: string, once: (id: string) => Promise<unknown>): Contender => ({
      name,
      run: (count) => costOf(() => concurrently(count, (n) => once(`bench-${name}-${n % WORKSPACES}`))),
    });
    const script = (id: string) => ours.admitAndCharge(id, ALLOWANCE, 1);
    const met = await compare(
      'limiter',
      {
        ours: contender('one script', script),
        oursAgain: contender('one script, again', script),
        others: [contender('four commands', (id) => fourCommands(client, id))],
        targets: [{ against: 'four commands', atMost: 0.35 }],
        count: 20_000,
        warmUp: 60_000,
        effort,
      },
      print,
    );
    await ours.close();
    client.disconnect();
    meter.close();
    return met;
  },
};

async function concurrently(count: number, once: (n: number) => Promise<unknown>): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await once(left);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
