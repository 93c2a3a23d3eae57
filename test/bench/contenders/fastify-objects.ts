import fastify from 'fastify';
import Redis from 'ioredis';
import { fourCommands } from '../four-commands.ts';
import { pageOfFifty } from '../page.ts';
import { announce } from './report.ts';

// A well-made server in one process: it checks the limit, builds a page of objects and serializes them to JSON.
const LIMIT = 1_000_000_000;
const [redisUrl = ''] = process.argv.slice(2);
const isAllowed = redisUrl ? limitInRedis(new Redis<'legacy'>(redisUrl)) : limitInMemory();

const app = fastify({ logger: false });
app.get('/emails', async (_request, reply) => {
  if (!(await isAllowed('bench'))) return reply.code(429).send();
  return reply.header('x-ratelimit-limit', LIMIT).send(pageOfFifty());
});
void app.listen({ port: 0, host: '127.0.0.1' }).then((origin) => announce({ url: `${origin}/emails` }));

function limitInRedis(client: Redis): (id: string) => Promise<boolean> {
  return async (id) => (await fourCommands(client, id)).every((count) => count < LIMIT);
}

function limitInMemory(): (id: string) => boolean {
  const counts = new Map<string, number>();
  return (id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count < LIMIT;
  };
}
