import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { Connection } from 'mongoose';
import { freshDatabaseUri } from '../../../test/support/database.ts';
import { openMailStore } from './connection.ts';
import { openDatabaseProxy } from './database-proxy.test-support.ts';

let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>;
let connection: Connection;
const LARGE = 'x'.repeat(8_000_000);
const context = createServiceContext({ name: 'test', logLevel: 'silent' });
beforeAll(async () => {
  proxy = await openDatabaseProxy(freshDatabaseUri());
  ({ connection } = await openMailStore({ uri: proxy.uri, needsSchema: false }, context));
});
afterAll(async () => {
  await connection.dropDatabase();
  await context.lifecycle.close();
  await proxy.close();
});

const heartbeat = () =>
  new Promise((resolve) => {
    connection.getClient().once('serverHeartbeatSucceeded', resolve);
  });

it('a call meets no lost connection thirteen seconds after all of a pool were lost, with nothing that said so', async () => {
  const items = connection.collection<{ _id: number }>('items');
  await Promise.all(Array.from({ length: 100 }, (_, _id) => items.insertOne({ _id })));
  await heartbeat();
  proxy.loseAll();
  await pause(13_000);
  const begun = performance.now();
  expect(await items.countDocuments()).toBe(100);
  expect(performance.now() - begun).toBeLessThan(5_000);
});

it('a large command that its server stops to take, and does not end, is tried again on another connection', async () => {
  const options = { uri: proxy.uri, needsSchema: false, poolSize: 1 };
  const { connection: single } = await openMailStore(options, context);
  const items = single.collection<{ _id: number; text?: string }>('large');
  await items.insertOne({ _id: 1 });
  proxy.holdAll();
  await items.insertOne({ _id: 2, text: LARGE });
  expect(await items.countDocuments()).toBe(2);
});
