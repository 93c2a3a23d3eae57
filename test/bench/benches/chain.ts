import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { compare, type Contender } from '../compare.ts';
import type { BenchConfig } from '../config.ts';
import { httpContender } from '../http-contender.ts';
import { createLoad } from '../load.ts';
import { redisMeter } from '../redis-meter.ts';

const COUNT = 2_000;
// One workspace would meet its minute limit in the first round.
const WORKSPACES = 100;

/** A page of fifty through gateway and service, against the floor of the runtime and one process with objects. */
export const chain: Bench = {
  name: 'chain',
  title: 'GET /emails through gateway, gRPC and a service that has the page in memory',
  run: async (config, print) => {
    const bare = await startChild('bare-http');
    const fastify = await startChild('fastify-objects');
    const ours = await startOurs(config);
    try {
      return await compare('chain', {
        ours: ours.contender('gateway + gRPC + service'),
        oursAgain: ours.contender('gateway + gRPC + service, again'),
        others: [httpContender('bare node:http', bare), httpContender('fastify with objects', fastify)],
        targets: [
          { against: 'bare node:http', atMost: 6 },
          { against: 'fastify with objects', atMost: 0.55 },
        ],
        count: COUNT,
        rounds: config.rounds,
      }, print);
    } finally {
      await Promise.all([bare.close(), fastify.close(), ours.close()]);
    }
  },
};

const keyOf = (workspace: number) => `mk_${String(workspace).padStart(40, '0')}`;

async function startOurs(config: BenchConfig) {
  const database = config.mongodbUri ? undefined : await startChild('embedded-mongo');
  const services = await startChild('services-in-memory');
  const { address = '' } = services.ready;
  const gateway = await startChild('gateway', address, config.mongodbUri ?? database?.ready.uri ?? '', config.redisUrl ?? '');
  const redis = await redisMeter(config.redisUrl);
  const load = createLoad({ url: gateway.ready.url ?? '', headers: (n) => ({ authorization: `Bearer ${keyOf(n % WORKSPACES)}` }) });
  const spent = async () => (await gateway.cpu()) + (await services.cpu()) + (await redis.micros());
  return {
    contender: (name: string): Contender => ({
      name,
      run: async (count) => {
        const before = await spent();
        await load(count);
        return (await spent()) - before;
      },
    }),
    close: async () => {
      redis.close();
      await gateway.close();
      await Promise.all([services.close(), database?.close()]);
    },
  };
}
