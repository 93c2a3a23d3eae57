import { expect, it } from '@jest/globals';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../test/support/database.ts';
import { openTcpProxy } from '../../../test/engines/tcp-proxy.ts';
import { openMailStore } from './connection.ts';

const NOTICED_MS = 12_000;

it('answers again soon after the connections to the database died without a word', async () => {
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const uri = new URL(freshDatabaseUri());
  const proxy = await openTcpProxy('127.0.0.1', Number(uri.port));
  uri.port = String(proxy.port);
  uri.search = '?directConnection=true';
  const { connection } = await openMailStore({ uri: uri.href, needsSchema: false, poolSize: 1 }, context);
  const items = connection.collection('items');
  await items.findOne();
  proxy.forget();
  const since = performance.now();
  await items.findOne();
  expect(performance.now() - since).toBeLessThan(NOTICED_MS + 2_000);
  await connection.dropDatabase();
  await context.lifecycle.close();
  await proxy.close();
}, 90_000);
