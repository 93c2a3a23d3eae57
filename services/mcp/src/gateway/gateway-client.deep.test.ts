import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { createServiceContext } from '@postroom/runtime/service-context';
import { timeLimits } from '@postroom/runtime/time-limits';
import { createGatewayClient } from './gateway-client.ts';

it('waits no longer for a gateway that hangs than a gateway takes for its longest answer', async () => {
  const context = createServiceContext({ name: 'mcp', logLevel: 'silent' });
  const gateway = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  const client = createGatewayClient({ GATEWAY_ADDR: `127.0.0.1:${port}`, MCP_TOKEN: 'token' }, context);
  const since = performance.now();
  const asked = client.call(
    { method: 'GET', path: '/labels' },
    { authorization: 'Bearer x', clientAddress: '203.0.113.7' },
  );
  await expect(asked).rejects.toThrow('Headers Timeout');
  expect(performance.now() - since).toBeLessThan(timeLimits.answerMs + 3_000);
  await context.lifecycle.close();
  gateway.close();
}, 90_000);
