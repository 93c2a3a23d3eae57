import { connect } from 'node:net';
import { it } from '@jest/globals';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { GatewayClient } from '../gateway/gateway-client.ts';
import { openHttpServer } from './http-server.ts';

const gateway: GatewayClient = {
  call: async () => ({ status: 200, body: { scopes: ['read'], maySend: false, features: [] } }),
};

it('cuts off a client that does not read its answer, and frees its slot', async () => {
  const context = createServiceContext({ name: 'mcp', logLevel: 'silent' });
  let inFlight = () => 0;
  const metrics = {
    ...context.metrics,
    gauge: (_name: string, _help: string, read: () => number) => void (inFlight = read),
  };
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_000_000)) });
  const protocol = { fetch: async () => new Response(endless) } as unknown as McpHttpHandler;
  const settings = { HOST: '127.0.0.1', HTTP_PORT: 0, MCP_URL: 'http://x/mcp', TRUSTED_PROXIES: 0, MAX_IN_FLIGHT: 1 };
  const deps = { context: { ...context, metrics } as typeof context, gateway, protocol, silentMs: 100 };
  const port = await openHttpServer(settings, deps);
  const client = connect(port, '127.0.0.1').on('error', () => undefined);
  client.pause();
  client.write(
    `POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer mk_${'a'.repeat(40)}\r\nContent-Length: 2\r\n\r\n{}`,
  );
  await until(() => inFlight() === 1);
  await until(() => inFlight() === 0);
  client.destroy();
  await context.lifecycle.close();
}, 10_000);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
