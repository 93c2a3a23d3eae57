import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { choosePorts } from '@postroom/local/ports';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import { connect } from '@postroom/rpc/connect';
import { serve } from '@postroom/rpc/serve';
import { systemClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { freshDatabaseUri } from '../support/database.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { fakeFeed } from '../support/webhook-service.ts';
import { randomOf } from './mirror/random-changes.ts';
import { type Endpoint, openEndpoints } from './webhooks/endpoints.ts';

const { POSTROOM_FULL, CATCH_UP_SEED } = process.env;
const CHANGES = POSTROOM_FULL ? 5_000 : 200;
const KILLS = POSTROOM_FULL ? 30 : 3;
const SEED = Number(CATCH_UP_SEED ?? Date.now() % 1_000_000);
const CALL = { workspaceId: 'wsp_1' };

const context = createServiceContext({ name: 'test', logLevel: 'silent' });
const feed = fakeFeed(systemClock);
const endpoint: Endpoint = { host: 'a.hooks.test', health: 'well' };
let servers: Awaited<ReturnType<typeof openEndpoints>>;
let variables: Record<string, string>;
let address: string;

beforeAll(async () => {
  servers = await openEndpoints([endpoint]);
  const { port } = await serve({ address: '127.0.0.1:0', services: [feed.handlers], context });
  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  context.lifecycle.add('keys', () => rm(keys, { recursive: true }));
  await makeFirstKey(keys, '2026-01-01');
  const uri = freshDatabaseUri();
  const store = await openMailStore({ uri, needsSchema: false }, context);
  await migrate(store.connection, context);
  context.lifecycle.add('test database', () => store.connection.dropDatabase());
  const ports = (await choosePorts())['webhook-delivery'];
  address = `127.0.0.1:${ports.GRPC_PORT}`;
  const settings = { MONGODB_URI: uri, CHANGES_ADDR: `127.0.0.1:${port}`, SECRET_KEYS: keys, LOG_LEVEL: 'info' };
  // Retries wait so long that none is made before the endpoint is enabled again.
  const plan = { WEBHOOK_DELAYS: '600,600,600,600', WEBHOOK_DISABLE_AFTER: '1' };
  variables = { ...settings, ...ports, ...servers.settings, ...plan, POSTROOM_DEVELOPMENT: 'true' };
});
afterAll(async () => {
  await context.lifecycle.close();
  await servers.close();
});

it(`an endpoint that was disabled and is enabled gets its waiting deliveries and all that it missed in order, while its process is killed again and again, seed ${SEED}`, async () => {
  const random = randomOf(SEED);
  let service = await startServiceProcess('webhook-delivery', variables);
  const api = connect(WebhookDeliveryServiceDefinition, address, { context });
  const { webhook } = await api.createWebhook({ url: `https://${endpoint.host}/`, events: [] }, CALL);
  const webhookId = webhook?.id ?? '';
  const append = () => feed.append(CALL.workspaceId, 'email.deleted').id;

  endpoint.health = 'fails';
  const failed: string[] = [];
  for (let status = ''; status !== 'disabled'; { status } = await api.getWebhook({ webhookId }, CALL)) {
    failed.push(append());
    await sleep(100);
  }
  const missed = Array.from({ length: CHANGES }, append);
  const { items: waiting } = await api.listDeliveries({ webhookId, limit: 200, status: 'pending' }, CALL);
  expect(waiting.length).toBeGreaterThan(1);
  endpoint.health = 'well';
  await api.updateWebhook({ webhookId, events: undefined, clearDescription: false, status: 'enabled' }, CALL);

  const arrivals = () => servers.arrivals.map(({ changeId }) => changeId);
  const distinct = () => new Set(arrivals()).size;
  const expected = [...failed, ...missed];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const next = Math.floor((expected.length * (kill - 1 + random(1_000) / 1_000)) / KILLS);
    while (distinct() < next) await sleep(1);
    await service.kill();
    service = await startServiceProcess('webhook-delivery', variables);
  }
  while (distinct() < expected.length) await sleep(100);
  await service.stop();

  // The attempt that a kill interrupts is made again, and nothing else is.
  const repeated = arrivals().filter((id, n, all) => id === all[n - 1]).length;
  process.stderr.write(
    `catch-up: ${waiting.length} waited, ${CHANGES} changes were missed, ${KILLS} kills, ${repeated} repeated, seed ${SEED}\n`,
  );
  expect(arrivals().filter((id, n, all) => id !== all[n - 1])).toEqual(expected);
  expect(repeated).toBeLessThanOrEqual(KILLS);
}, 3_600_000);
