import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServiceContext } from '@postroom/runtime/service-context';
import { createGatewayClient, type GatewayClient } from './gateway-client.ts';

const context = createServiceContext({ name: 'mcp', logLevel: 'silent' });
const held: ServerResponse[] = [];
const gateway = createServer((request, response) => {
  if (request.url?.includes('wait=')) held.push(response);
  else response.end('{}');
});
let client: GatewayClient;
beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  client = createGatewayClient({ GATEWAY_ADDR: `127.0.0.1:${port}`, MCP_TOKEN: 'token' }, context);
});
afterAll(async () => {
  await context.lifecycle.close();
  gateway.close();
});

it('answers others at once while hundreds of calls wait for changes', async () => {
  const credentials = { authorization: 'Bearer x', clientAddress: '203.0.113.7' };
  const polls = Array.from({ length: 300 }, () =>
    client.call({ method: 'GET', path: '/changes', query: new URLSearchParams({ wait: '25' }) }, credentials),
  );
  const answer = await client.call({ method: 'GET', path: '/labels' }, credentials);
  expect([answer.status, polls.length]).toEqual([200, 300]);
  while (held.length < polls.length) await new Promise((resolve) => setImmediate(resolve));
  held.forEach((response) => response.end('{}'));
  await Promise.all(polls);
});
