import { openBenchDatabase } from '../bench-database.ts';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { compare } from '../compare.ts';
import { USUAL_HEAP } from '../contenders/report.ts';
import { httpContender } from '../http-contender.ts';
import { redisMeter } from '../redis-meter.ts';

const COUNT = 2_000;
const WARM_UP = 10_000;
// One workspace would meet its minute limit in the first round.
const WORKSPACES = 100;

/** A page of fifty through gateway and service, against the floor of the runtime and one process with objects. */
export const chain: Bench = {
  name: 'chain',
  title: 'GET /emails through gateway, gRPC and a service that has the page in memory',
  run: async (config, print) => {
    const redis = await redisMeter(config.redisUrl);
    const bare = await startChild('bare-http');
    const fastify = await startChild('fastify-objects', config.redisUrl ?? '');
    const database = await openBenchDatabase(config, 0, print);
    const startOurs = (...flags: string[]) => startChain([database.uri, config.redisUrl ?? ''], flags);
    const ours = await startOurs();
    const usual = await startOurs(USUAL_HEAP);
    const chainOf = (name: string, { load, gateway, services } = ours) =>
      httpContender(name, load, [gateway.cpu, services.cpu, redis.micros]);
    const comparison = {
      ours: chainOf('gateway + gRPC + service'),
      oursAgain: chainOf('gateway + gRPC + service, again'),
      others: [
        httpContender('bare node:http', { url: bare.ready.url ?? '' }, [bare.cpu]),
        httpContender('fastify with objects', { url: fastify.ready.url ?? '' }, [fastify.cpu, redis.micros]),
        chainOf('gateway + gRPC + service, usual heap', usual),
      ],
      targets: [
        { against: 'bare node:http', atMost: 6 },
        { against: 'fastify with objects', atMost: 0.55 },
        { against: 'gateway + gRPC + service, usual heap', atMost: 0.95 },
      ],
      count: COUNT,
      warmUp: WARM_UP,
      effort: config.effort,
    };
    try {
      return await compare('chain', comparison, print);
    } finally {
      await Promise.all([bare.close(), fastify.close(), ours.close(), usual.close()]);
      await database.close();
      redis.close();
    }
  },
};

const keyOf = (workspace: number) => `mk_${String(workspace).padStart(40, '0')}`;

/** Gateway and service in processes of their own; the database is there to be connected to, and does nothing. */
async function startChain(engines: string[], flags: string[]) {
  const services = await startChild('services-in-memory', ...flags);
  const gateway = await startChild('gateway', services.ready.address ?? '', ...engines, ...flags);
  const headers = (n: number) => ({ authorization: `Bearer ${keyOf(n % WORKSPACES)}` });
  return {
    gateway,
    services,
    load: { url: gateway.ready.url ?? '', headers },
    close: async () => {
      await gateway.close();
      await services.close();
    },
  };
}
