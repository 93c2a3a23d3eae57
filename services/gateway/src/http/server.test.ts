import { connect } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createServiceContext } from '@postroom/runtime/service-context';
import express from 'express';
import { createConnections } from './connection/connections.ts';
import { openHttp } from './server.ts';

const context = createServiceContext({ name: 'gateway', logLevel: 'silent' });
afterEach(() => context.lifecycle.close());

it('ends a connection over which no byte goes in either direction, also where an answer waits to be taken', async () => {
  const connections = createConnections({ most: 10, mostBuffered: 100_000_000 });
  const body = Buffer.alloc(20_000_000);
  const app = {
    express: express(),
    listener: (_: unknown, response: { end(bytes: Buffer): void }) => response.end(body),
  };
  const deps = { app, connections, observe: () => undefined, context, idleMs: 100 };
  const port = await openHttp(deps, '127.0.0.1', 0);
  const socket = connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .pause();
  const isGone = new Promise<void>((resolve) => {
    const poll = () => (connections.size === 0 && socket.bytesWritten > 0 ? resolve() : setImmediate(poll));
    socket.once('connect', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n', poll));
  });
  await expect(isGone).resolves.toBeUndefined();
  socket.destroy();
});
