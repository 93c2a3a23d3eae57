import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, systemClock } from '@postroom/runtime/clock';
import { openTcpProxy } from '../../../test/engines/tcp-proxy.ts';
import { timeLimits } from '@postroom/runtime/time-limits';
import { connect } from './connect.ts';
import { echo, EchoDefinition, testContext, type TestContext } from './echo.test-support.ts';
import { serve } from './serve.ts';

const clock = manualClock();
let near: TestContext;
let far: TestContext;
beforeEach(() => {
  near = testContext();
  far = testContext({ clock });
});
afterEach(async () => {
  await near.lifecycle.close();
  await far.lifecycle.close();
});

/** A call that is being answered while its server closes; it ends when it is let. */
async function leaveDuringCall() {
  let finish = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const service = echo({ echo: (request) => (begin(), held.then(() => request)) });
  const server = await serve({ address: '127.0.0.1:0', services: [service], context: far });
  const answer = connect(EchoDefinition, `127.0.0.1:${server.port}`, { context: near }).echo({ words: ['a'] }, {});
  answer.catch(() => undefined);
  await begun;
  return { answer, finish, closed: server.close() };
}

describe('a service that is told to leave', () => {
  it('answers what it has begun, for longer than the gateways need it', async () => {
    const { answer, finish, closed } = await leaveDuringCall();
    await clock.advance(timeLimits.gatewayDrainMs);
    finish();
    expect(await answer).toEqual({ words: ['a'] });
    await closed;
  });

  it('cuts off what is still running after that', async () => {
    const { answer, finish, closed } = await leaveDuringCall();
    await clock.advance(timeLimits.serviceDrainMs);
    await expect(answer).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    finish();
    await closed;
  });

  it('waits no longer for the connection of a client that is gone without a word', async () => {
    const server = await serve({ address: '127.0.0.1:0', services: [echo()], context: far });
    const proxy = await openTcpProxy('127.0.0.1', server.port);
    await connect(EchoDefinition, `127.0.0.1:${proxy.port}`, { context: near }).echo({ words: ['a'] }, {});
    proxy.freeze();
    const closed = server.close().then(() => 'closed');
    await clock.advance(timeLimits.serviceDrainMs);
    const end = await Promise.race([closed, systemClock.sleep(1_000)]);
    await proxy.close();
    await closed;
    expect(end).toBe('closed');
  });
});
