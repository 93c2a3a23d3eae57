import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { channelOptions } from './channel-options.ts';
import { connect } from './connect.ts';
import { echo, EchoDefinition, testContext, type TestContext } from './echo.test-support.ts';
import { serve } from './serve.ts';

let context: TestContext;
beforeEach(() => void (context = testContext()));
afterEach(() => context.lifecycle.close());

const KEEPALIVE_MS = Number(channelOptions(EchoDefinition)['grpc.keepalive_time_ms']);

it('a service that leaves answers what it has begun, also where a client looks whether it is still there', async () => {
  let finish = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const service = echo({ echo: (request) => (begin(), held.then(() => request)) });
  const server = await serve({ address: '127.0.0.1:0', services: [service], context });
  const answer = connect(EchoDefinition, `127.0.0.1:${server.port}`, { context }).echo({ words: ['a'] }, {});
  answer.catch(() => undefined);
  await begun;
  const closed = server.close();
  await systemClock.sleep(KEEPALIVE_MS + 500);
  finish();
  expect(await answer).toEqual({ words: ['a'] });
  await closed;
});
