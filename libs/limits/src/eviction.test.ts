import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { createLog } from '@postroom/runtime/log';
import { sayWhetherKeysMayGo } from './eviction.ts';
import type { RedisClient } from './redis-connection.ts';

async function saidOf(info: () => Promise<string>): Promise<string> {
  let said = '';
  const sink = new Writable({ write: (line: Buffer, _encoding, done) => done(void (said += line.toString())) });
  const client = Object.assign(new EventEmitter(), { info }) as unknown as RedisClient;
  sayWhetherKeysMayGo(client, createLog('gateway', 'warn', sink));
  client.emit('ready');
  await new Promise((resolve) => setImmediate(resolve));
  return said;
}

it.each([
  ['noeviction', async () => '# Memory\r\nmaxmemory_policy:noeviction\r\n', /^$/],
  ['another policy', async () => 'maxmemory_policy:allkeys-lru\r\n', /"level":"error".*allkeys-lru.*noeviction/],
  ['a Redis that does not say', () => Promise.reject(new Error('NOPERM')), /"level":"warn".*noeviction/],
])('what a gateway says of %s', async (_what, info, expected) => {
  expect(await saidOf(info)).toMatch(expected);
});
