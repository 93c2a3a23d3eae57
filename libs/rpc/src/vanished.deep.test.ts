import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { openTcpProxy, type TcpProxy } from '../../../test/engines/tcp-proxy.ts';
import { connect } from './connect.ts';
import { echo, EchoDefinition, testContext, type TestContext } from './echo.test-support.ts';
import { serve } from './serve.ts';

let context: TestContext;
let proxy: TcpProxy;
beforeEach(async () => {
  context = testContext();
  const { port } = await serve({ address: '127.0.0.1:0', services: [echo()], context });
  proxy = await openTcpProxy('127.0.0.1', port);
});
afterEach(async () => {
  await proxy.close();
  await context.lifecycle.close();
});

/** Twelve seconds, and time for a busy machine; it took forty. */
const NOTICED_MS = 30_000;

const untilAnswered = async (ask: () => Promise<unknown>): Promise<number> => {
  const since = systemClock.now();
  const isAnswered = () =>
    ask().then(
      () => true,
      () => false,
    );
  while (!(await isAnswered())) if (systemClock.now() - since > 60_000) break;
  return systemClock.now() - since;
};

it('answers soon after a server was there that took the first connection and never spoke', async () => {
  const silent: Socket[] = [];
  const front = createServer((socket) => {
    socket.on('error', () => undefined);
    if (silent.length === 0) return void silent.push(socket);
    const passedOn = connectTcp(proxy.port, '127.0.0.1').on('error', () => undefined);
    socket.pipe(passedOn).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const client = connect(EchoDefinition, `127.0.0.1:${(front.address() as AddressInfo).port}`, { context });
  const waited = await untilAnswered(() => client.echo({ words: ['a'] }, { deadline: systemClock.now() + 1_000 }));
  for (const socket of silent) socket.destroy();
  client.close();
  front.close();
  expect(waited).toBeLessThan(10_000);
}, 120_000);

it.each(['echo', 'read'] as const)(
  'answers %s again soon after the connection to a server died without a word',
  async (method) => {
    const client = connect(EchoDefinition, `127.0.0.1:${proxy.port}`, { context });
    const ask = () => client[method]({ words: ['a'] }, { deadline: systemClock.now() + 1_000 });
    await ask();
    await systemClock.sleep(300);
    await ask();
    proxy.forget();
    expect(await untilAnswered(ask)).toBeLessThan(NOTICED_MS);
  },
  120_000,
);
