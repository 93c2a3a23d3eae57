import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { Connection } from 'mongoose';
import { freshDatabaseUri } from '../../../test/support/database.ts';
import { openMailStore } from './connection.ts';

/** The driver's pool of connections, as far as a test reaches for it. */
interface Driver {
  topology: { s: { servers: Map<string, { pool: { connections: { toArray(): { socket: Socket }[] } } }> } };
}

const LARGE = 'x'.repeat(8_000_000);
let proxy: Awaited<ReturnType<typeof openProxy>>;
let connection: Connection;
const context = createServiceContext({ name: 'test', logLevel: 'silent' });
beforeAll(async () => {
  const uri = new URL(freshDatabaseUri());
  proxy = await openProxy(Number(uri.port));
  uri.port = String(proxy.port);
  uri.search = '?directConnection=true';
  ({ connection } = await openMailStore({ uri: uri.href, needsSchema: false, poolSize: 1 }, context));
});
afterAll(async () => {
  await connection.dropDatabase();
  await context.lifecycle.close();
  await proxy.close();
});

/** Passes everything on, until it is told to take nothing more from its clients. */
async function openProxy(to: number) {
  const clients = new Set<Socket>();
  let isPassing = true;
  const server = createServer((client) => {
    const database = connect(to, '127.0.0.1');
    clients.add(client);
    client.on('error', () => undefined).on('close', () => (clients.delete(client), database.destroy()));
    database.on('error', () => undefined).on('close', () => client.destroy());
    database.pipe(client);
    if (isPassing) client.pipe(database);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stopReading: () => {
      isPassing = false;
      for (const client of clients) client.unpipe().pause();
    },
    /** Without an error, as a process that ends does. */
    endAll: () => {
      isPassing = true;
      for (const client of clients) client.destroy();
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const items = () => connection.collection<{ _id: number; text?: string }>('items');
const sockets = () => {
  const { topology } = connection.getClient() as unknown as Driver;
  return [...topology.s.servers.values()].flatMap(({ pool }) => pool.connections.toArray().map(({ socket }) => socket));
};

describe('a command', () => {
  it('is tried again where its socket closed just before, and the driver has not heard of it', async () => {
    await items().insertOne({ _id: 1 });
    const [socket] = sockets();
    socket?.destroy();
    expect(await items().find().toArray()).toEqual([{ _id: 1 }]);
    sockets()[0]?.destroy();
    await items().insertOne({ _id: 2 });
    expect(await items().countDocuments()).toBe(2);
  });

  it('is tried again where its socket closes before it took all of it', async () => {
    await items().findOne();
    const [socket] = sockets();
    proxy.stopReading();
    const inserted = items().insertOne({ _id: 3, text: LARGE });
    while (socket?.writableNeedDrain !== true) await new Promise((resolve) => setTimeout(resolve, 5));
    proxy.endAll();
    await inserted;
    expect((await items().findOne({ _id: 3 }))?.text).toHaveLength(LARGE.length);
  });
});
