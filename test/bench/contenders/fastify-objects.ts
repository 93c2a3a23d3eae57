import fastify from 'fastify';
import { pageOfFifty } from '../page.ts';
import { announce } from './report.ts';

// What one well-made process does with objects: no gateway, no service behind it, no limits.
const app = fastify({ logger: false });
const page = pageOfFifty();
app.get('/emails', (_request, reply) => {
  const items = page.items.map((item) => ({ ...item, from: { ...item.from }, tags: item.tags.map((tag) => ({ ...tag })) }));
  return reply.send({ ...page, items });
});
void app.listen({ port: 0, host: '127.0.0.1' }).then((origin) => announce({ url: `${origin}/emails` }));
