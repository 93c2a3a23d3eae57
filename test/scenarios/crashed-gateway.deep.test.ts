import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { serve } from '@postroom/rpc/serve';
import { manualClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { apiClient, type ApiClient } from '../support/client.ts';
import { proxyTo } from '../support/service-proxy.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const clock = manualClock(Date.now());
const context = createServiceContext({ name: 'test', logLevel: 'silent' });
let stack: TestStack;
let home: TestWorkspace;
let gateway: ServiceProcess;
let doomed: ApiClient;
/** Done after a service has said yes and before the gateway hears it. */
let atYes: () => Promise<void>;
const steps = { atYes: () => atYes() };

beforeAll(async () => {
  stack = await startStack({ clock });
});
afterAll(async () => {
  await context.lifecycle.close();
  await stack.close();
});

beforeEach(async () => {
  atYes = async () => undefined;
  clock.set(Date.now());
  home = await stack.workspace();
  const { addresses, mongodbUri } = stack;
  const { port } = await serve({
    address: '127.0.0.1:0',
    services: [
      proxyTo(LabelRuleServiceDefinition, addresses.LABEL_RULE_ADDR, steps, context),
      proxyTo(ViewFilterServiceDefinition, addresses.VIEW_FILTER_ADDR, steps, context),
    ],
    context,
  });
  const http = await freePort(0);
  gateway = await startServiceProcess('gateway', {
    MONGODB_URI: mongodbUri,
    HTTP_PORT: String(http),
    ...addresses,
    LABEL_RULE_ADDR: `127.0.0.1:${port}`,
    VIEW_FILTER_ADDR: `127.0.0.1:${port}`,
  });
  doomed = apiClient(`http://127.0.0.1:${http}/api/v1`, home.keys.write);
});
afterEach(() => gateway.stop());

it.each([
  ['a label', '/labels', 'label', { name: 'Once', color: 'Blue' }],
  ['a view', '/views', 'view', { name: 'Once', filters: {} }],
  ['an inbox filter', '/filters', 'filter', { type: 'sender', value: 'once@there.example' }],
])(
  '%s is made once, though the gateway is killed between the yes of the service and its record',
  async (_what, path, name, body) => {
    const options = { headers: { 'idempotency-key': 'once' } };
    atYes = () => gateway.kill();
    await expect(doomed.post(path, body, options)).rejects.toThrow();
    const [made] = (await home.read.get(path)).body.items;
    expect(made).toMatchObject({ id: expect.any(String) });

    expect((await home.write.post(path, body, options)).status).toBe(409);
    clock.set(Date.now() + 30_000);
    const again = await home.write.post(path, body, options);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(again.body[name].id).toBe(made.id);
    expect((await home.read.get(path)).body.items).toHaveLength(1);

    const replay = await home.write.post(path, body, options);
    expect([replay.body, replay.headers.get('idempotency-replayed')]).toEqual([again.body, 'true']);
  },
);
