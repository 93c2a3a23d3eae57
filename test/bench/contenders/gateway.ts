import { service } from '@postroom/gateway/service';
import { makeHeapRoomy } from '@postroom/runtime/heap';
import { createServiceContext } from '@postroom/runtime/service-context';
import { announce, USUAL_HEAP } from './report.ts';

if (!process.argv.includes(USUAL_HEAP)) makeHeapRoomy();
const [services = '', mongodbUri = '', redisUrl = ''] = process.argv.slice(2);
const addresses = Object.keys(service.config.shape)
  .filter((name) => name.endsWith('_ADDR'))
  .map((name) => [name, services]);
const config = service.config.parse({
  ...Object.fromEntries(addresses),
  HOST: '127.0.0.1',
  HTTP_PORT: '0',
  FEATURES: 'changes',
  MONGODB_URI: mongodbUri,
  ...(redisUrl && { REDIS_URL: redisUrl }),
});
void service
  .open(config, createServiceContext({ name: 'gateway', logLevel: 'warn' }))
  .then(({ port }) => announce({ url: `http://127.0.0.1:${port}/api/v1/emails` }));
