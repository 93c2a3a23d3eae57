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

const NOTICED_MS = 12_000;

it.each(['echo', 'read'] as const)(
  'answers %s again soon after the connection to a server died without a word',
  async (method) => {
    const client = connect(EchoDefinition, `127.0.0.1:${proxy.port}`, { context });
    const ask = () => client[method]({ words: ['a'] }, { deadline: systemClock.now() + 1_000 });
    const isAnswered = () =>
      ask().then(
        () => true,
        () => false,
      );
    await ask();
    await systemClock.sleep(300);
    await ask();
    proxy.forget();
    const since = systemClock.now();
    while (!(await isAnswered())) if (systemClock.now() - since > 60_000) break;
    expect(systemClock.now() - since).toBeLessThan(NOTICED_MS + 2_000);
  },
  120_000,
);
