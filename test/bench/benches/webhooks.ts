import { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import { connect } from '@postroom/rpc/connect';
import { serve } from '@postroom/rpc/serve';
import { systemClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { type Arrival, type Endpoint, endpointsOf } from '../../faults/webhooks/endpoints.ts';
import { appendChanges, arrived, createWebhooks, delaysOf, expectedArrivals } from '../../faults/webhooks/load.ts';
import { fakeFeed } from '../../support/webhook-service.ts';
import type { Bench } from '../bench.ts';
import { type Child, startChild } from '../child.ts';

const ENDPOINTS = 50;
/** Two of each kind of sick endpoint, and twice as many healthy ones. */
const FEWEST_ENDPOINTS = 30;
const WORKSPACES = 5;
const CHANGES = 1_500;
/** A third of what one process carries: near its limit a wait grows with every attempt, be it at a sick endpoint or a healthy one. */
const PER_SECOND = 10;
const HANGING = 1_000;
const HANGING_WORKSPACES = 50;
/** Before the measurement, so that the service has compiled its code and knows which endpoints answer. */
const WARMING = 200;
/** The services take their turns of so many changes, so that other work on the machine is beside all of them. */
const SEGMENT = 100;
/** No arrival for so long means that the rest does not come. */
const QUIET_MS = 30_000;

/** The delay of the healthy endpoints of a service: alone, beside sick ones, and beside many that hang. */
export const webhooks: Bench = {
  name: 'webhooks',
  title:
    'deliveries to 50 endpoints of which a third hang, refuse, redirect, fail or rebind, and beside 1,000 that hang: delay of the healthy ones',
  run: async ({ effort: { share }, mongodbUri }, print) => {
    const database = mongodbUri ? undefined : await startChild('embedded-mongo');
    process.env['POSTROOM_TEST_MONGODB_URI'] = mongodbUri ?? database?.ready.uri ?? '';
    const all = endpointsOf(Math.max(FEWEST_ENDPOINTS, Math.round(ENDPOINTS * share)));
    const healthy = all.filter(({ health }) => health === 'well');
    const crowd = [...healthy, ...hanging(Math.ceil(HANGING * share))];
    const worlds = {
      'without sick ones': await open(healthy),
      'beside sick ones': await open(all),
      'beside many that hang': await open(crowd),
    };
    for (const world of Object.values(worlds)) await world.warm(Math.ceil(WARMING * share));
    for (let made = 0; made < CHANGES * share; made += SEGMENT)
      for (const world of Object.values(worlds)) await world.deliver(Math.min(SEGMENT, CHANGES * share));
    const told = [];
    for (const [name, world] of Object.entries(worlds)) {
      told.push(await world.told());
      print(`  ${name}: ${told.at(-1)?.words}`);
      await world.close();
    }
    await database?.close();
    const [quiet, sick, crowded] = told.map(({ p50 }) => p50) as [number, number, number];
    const ratios = [sick / quiet, crowded / quiet];
    const isMet = told.every(({ isWhole, p99 }) => isWhole && p99 <= 1_000) && ratios.every((ratio) => ratio <= 1.2);
    const words = ratios.map((ratio) => ratio.toFixed(2)).join(' and ');
    print(`  delay beside sick ones, and beside those that hang, to the delay without, p50: ${words}`);
    print(`  targets: each arrives once, a second at p99, ratios of 1.2: target ${isMet ? '' : 'not '}met`);
    return isMet;
  },
};

const hanging = (count: number): Endpoint[] =>
  Array.from({ length: count }, (_, n) => ({
    host: `h${n}.hooks.test`,
    health: 'hangs',
    workspaceId: `hanging_${n % HANGING_WORKSPACES}`,
  }));

interface Told {
  arrivals: Arrival[];
  calls: Record<string, number>;
  lookups: number;
}

/** The servers of these endpoints. Those of the sick ones have a process of their own, so that the others answer in time. */
async function openServers(endpoints: readonly Endpoint[]) {
  const start = (some: readonly Endpoint[]) => startChild('webhook-endpoints', JSON.stringify(some));
  const isWell = ({ health }: Endpoint) => health === 'well';
  const sick = await start(endpoints.filter((one) => !isWell(one)));
  const well = await start(endpoints.filter(isWell));
  const settingsOf = ({ ready }: Child) => JSON.parse(ready.settings ?? '{}') as Record<string, string>;
  const joined = (name: string, by: string) => [well, sick].map((child) => settingsOf(child)[name]).join(by);
  const ask = async <T>({ ready }: Child, path: string): Promise<T> =>
    (await (await fetch(`${ready.control ?? ''}${path}`)).json()) as T;
  return {
    settings: {
      ...settingsOf(sick),
      WEBHOOK_ROUTES: joined('WEBHOOK_ROUTES', ','),
      WEBHOOK_CA: joined('WEBHOOK_CA', '\n'),
    },
    count: () => ask<number>(well, '/count'),
    told: async () => {
      const [{ arrivals, calls: ofWell }, { calls, lookups }] = [
        await ask<Told>(well, '/'),
        await ask<Told>(sick, '/'),
      ];
      return { arrivals, calls, lookups, elsewhere: (ofWell['elsewhere'] ?? 0) + (calls['elsewhere'] ?? 0) };
    },
    close: async (): Promise<void> => {
      await well.close();
      await sick.close();
    },
  };
}

/** A service in a process of its own, and the servers of these endpoints. */
async function open(endpoints: readonly Endpoint[]) {
  const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
  const feed = fakeFeed(systemClock);
  const changes = await serve({ address: '127.0.0.1:0', services: [feed.handlers], context });
  const servers = await openServers(endpoints);
  const settings = { ...servers.settings, CHANGES_ADDR: `127.0.0.1:${changes.port}` };
  const service = await startChild('webhook-delivery', JSON.stringify(settings));
  const api = connect(WebhookDeliveryServiceDefinition, service.ready.address ?? '', { context });
  const load = { endpoints, workspaces: WORKSPACES, perSecond: PER_SECOND };
  const made = await createWebhooks({ api }, { ...load, changes: 0 });
  const others = new Set(endpoints.flatMap(({ workspaceId }) => workspaceId ?? []));
  const expected: string[] = [];
  const deliver = async (count: number): Promise<void> => {
    for (const workspaceId of others) feed.append(workspaceId, 'email.deleted', {});
    expected.push(...expectedArrivals(made, await appendChanges({ feed }, { ...load, changes: count })));
    await arrived(servers.count, expected.length, QUIET_MS);
  };
  let [warming, cpuBefore] = [0, 0];
  return {
    deliver,
    warm: async (count: number): Promise<void> => {
      await deliver(count);
      [warming, cpuBefore] = [await servers.count(), await service.cpu()];
    },
    told: async () => {
      const { arrivals, calls, lookups, elsewhere } = await servers.told();
      const found = new Set(arrivals.map(({ host, changeId }) => `${host} ${changeId}`));
      const isWhole = expected.every((one) => found.has(one)) && found.size === arrivals.length && elsewhere === 0;
      const measured = arrivals.slice(warming);
      const { p50, p99, most } = delaysOf(measured);
      const cpuMs = ((await service.cpu()) - cpuBefore) / 1_000 / measured.length;
      const words =
        `${arrivals.length} of ${expected.length} arrived, ${arrivals.length - found.size} twice; ` +
        `delay p50 ${p50} ms, p99 ${p99} ms, most ${most} ms; processor ${cpuMs.toFixed(1)} ms for each ` +
        `(calls: ${JSON.stringify(calls)}; lookups of names that rebind: ${lookups})`;
      return { isWhole, p50, p99, words };
    },
    close: async (): Promise<void> => {
      await service.close();
      await context.lifecycle.close();
      await servers.close();
    },
  };
}
