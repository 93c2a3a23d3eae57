import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { GatewayClient } from '../gateway/gateway-client.ts';
import { openHttpServer } from './http-server.ts';

const addresses: string[] = [];
const gateway: GatewayClient = {
  call: async (_call, { clientAddress }) => {
    addresses.push(clientAddress);
    return { status: 200, body: { scopes: ['read'], maySend: false, features: [] } };
  },
};

/** A client that reads nothing of an answer that does not end, at a server with one slot. */
async function openWithSilentClient(silentMs?: number) {
  const context = createServiceContext({ name: 'mcp', logLevel: 'silent' });
  let inFlight = () => 0;
  const metrics = {
    ...context.metrics,
    gauge: (_name: string, _help: string, read: () => number) => void (inFlight = read),
  };
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_000_000)) });
  const protocol = { fetch: async () => new Response(endless) } as unknown as McpHttpHandler;
  const settings = { HOST: '127.0.0.1', HTTP_PORT: 0, MCP_URL: 'http://x/mcp', TRUSTED_PROXIES: 0, MAX_IN_FLIGHT: 1 };
  const deps = { context: { ...context, metrics } as typeof context, gateway, protocol, silentMs };
  const port = await openHttpServer(settings, deps);
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  client.pause();
  client.write(
    `POST /mcp HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\nAuthorization: Bearer mk_${'a'.repeat(40)}\r\nContent-Length: 2\r\n\r\n{}`,
  );
  return { port, client, inFlight: () => inFlight(), close: () => context.lifecycle.close() };
}

it('refuses one more than its slots', async () => {
  const { port, client, inFlight, close } = await openWithSilentClient();
  await until(() => inFlight() === 1);
  const other = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: '{}' });
  expect([other.status, other.headers.get('retry-after')]).toEqual([503, '1']);
  client.destroy();
  await until(() => inFlight() === 0);
  // No proxy is trusted, so a client cannot choose its address.
  expect(addresses).toEqual(['127.0.0.1']);
  await close();
}, 10_000);

it('frees the slot of a client that does not read its answer', async () => {
  const { client, inFlight, close } = await openWithSilentClient(100);
  let wasHeld = false;
  await until(() => (wasHeld ||= inFlight() === 1));
  await until(() => inFlight() === 0);
  client.destroy();
  await close();
}, 10_000);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
