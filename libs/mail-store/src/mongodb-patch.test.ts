import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { Connection } from 'mongoose';
import { freshDatabaseUri } from '../../../test/support/database.ts';
import { openMailStore } from './connection.ts';
import { openDatabaseProxy } from './database-proxy.test-support.ts';

/** The driver's pool of connections, as far as a test reaches for it. */
interface Driver {
  topology: { s: { servers: Map<string, { pool: { connections: { toArray(): { socket: Socket }[] } } }> } };
}

const LARGE = 'x'.repeat(8_000_000);
let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>;
let connection: Connection;
const context = createServiceContext({ name: 'test', logLevel: 'silent' });
beforeAll(async () => {
  proxy = await openDatabaseProxy(freshDatabaseUri());
  ({ connection } = await openMailStore({ uri: proxy.uri, needsSchema: false, poolSize: 1 }, context));
});
afterAll(async () => {
  await connection.dropDatabase();
  await context.lifecycle.close();
  await proxy.close();
});

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
