import { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import { connect } from '@postroom/rpc/connect';
import { serve } from '@postroom/rpc/serve';
import { systemClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { endpointsOf, openEndpoints, SICKNESSES } from '../../faults/webhooks/endpoints.ts';
import {
  appendChanges,
  arrived,
  createWebhooks,
  delaysOf,
  expectedArrivals,
  type Load,
} from '../../faults/webhooks/load.ts';
import { fakeFeed } from '../../support/webhook-service.ts';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';

const ENDPOINTS = 50;
const WORKSPACES = 5;
const CHANGES = 2_000;
const PER_SECOND = 20;
/** Before the measurement, so that the service has compiled its code and knows which endpoints answer. */
const WARMING = 200;
/** The two take their turns, so that other work on the machine is beside both. */
const SEGMENTS = 10;
/** No arrival for so long means that the rest does not come. */
const QUIET_MS = 30_000;

/** The delay of the healthy endpoints of a service, with sick ones beside them and without. */
export const webhooks: Bench = {
  name: 'webhooks',
  title:
    'deliveries to 50 endpoints of which a third hang, refuse, redirect, fail or rebind: delay of the healthy ones',
  run: async ({ effort: { share }, mongodbUri }, print) => {
    const database = mongodbUri ? undefined : await startChild('embedded-mongo');
    process.env['POSTROOM_TEST_MONGODB_URI'] = mongodbUri ?? database?.ready.uri ?? '';
    const changes = Math.max(50, Math.round((CHANGES * share) / SEGMENTS));
    const all = endpointsOf(ENDPOINTS);
    const load = { workspaces: WORKSPACES, changes, perSecond: PER_SECOND };
    const without = await open({ ...load, endpoints: all.filter(({ health }) => health === 'well') });
    const beside = await open({ ...load, endpoints: all });
    for (let n = 0; n < SEGMENTS; n += 1) for (const one of [without, beside]) await one.deliver(changes);
    const [quiet, sick] = [without.told(), beside.told()];
    for (const one of [without, beside]) await one.close();
    await database?.close();
    print(`  without sick ones: ${quiet.words}`);
    print(`  beside sick ones: ${sick.words}`);
    const ratio = sick.p50 / quiet.p50;
    const isMet = quiet.isWhole && sick.isWhole && sick.p99 <= 1_000 && ratio <= 1.2;
    print(`  delay beside sick ones to the delay without, p50: ${ratio.toFixed(2)}`);
    print(`  targets: each arrives once, a second at p99, a ratio of 1.2: target ${isMet ? '' : 'not '}met`);
    return isMet;
  },
};

/** A service in a process of its own, with these endpoints. */
async function open(load: Load) {
  const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
  const feed = fakeFeed(systemClock);
  const changes = await serve({ address: '127.0.0.1:0', services: [feed.handlers], context });
  const servers = await openEndpoints(load.endpoints);
  const settings = { ...servers.settings, CHANGES_ADDR: `127.0.0.1:${changes.port}` };
  const service = await startChild('webhook-delivery', JSON.stringify(settings));
  const api = connect(WebhookDeliveryServiceDefinition, service.ready.address ?? '', { context });
  const world = { api, feed, servers };
  const made = await createWebhooks(world, load);
  const expected: string[] = [];
  const deliver = async (count: number): Promise<void> => {
    expected.push(...expectedArrivals(made, await appendChanges(world, { ...load, changes: count })));
    await arrived(world, expected.length, QUIET_MS);
  };
  await deliver(Math.min(WARMING, load.changes));
  const warming = servers.arrivals.length;
  return {
    deliver,
    told: () => {
      const found = new Set(servers.arrivals.map(({ host, changeId }) => `${host} ${changeId}`));
      const isWhole = expected.every((one) => found.has(one)) && found.size === servers.arrivals.length;
      const { p50, p99, most } = delaysOf(servers.arrivals.slice(warming));
      const calls = SICKNESSES.map((health) => `${health} ${servers.calls(health)}`).join(', ');
      const lookups = servers.lookups().reduce((sum, count) => sum + count, 0);
      const words =
        `${servers.arrivals.length} of ${expected.length} arrived, ${servers.arrivals.length - found.size} twice; ` +
        `delay p50 ${p50} ms, p99 ${p99} ms, most ${most} ms (calls at sick ones: ${calls}; ` +
        `lookups of names that rebind: ${lookups}; calls elsewhere: ${servers.calls('elsewhere')})`;
      return { isWhole: isWhole && servers.calls('elsewhere') === 0, p50, p99, words };
    },
    close: async (): Promise<void> => {
      await service.close();
      await context.lifecycle.close();
      await servers.close();
    },
  };
}
