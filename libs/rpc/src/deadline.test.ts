import { Client as GrpcClient, credentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import type { Call } from './call.ts';
import { connect } from './connect.ts';
import { toGrpcMethod } from './definition.ts';
import { echo, EchoDefinition, testContext } from './echo.test-support.ts';
import type { TestContext } from './echo.test-support.ts';
import { serve } from './serve.ts';

/** Ends only when it is told to, as a query does that the database would go on running. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

describe('the deadline', () => {
  let context: TestContext;
  beforeEach(() => {
    context = testContext();
  });
  afterEach(() => context.lifecycle.close());

  const open = async (handlers: Parameters<typeof echo>[0], serverContext = context, clientContext = context) => {
    const { port } = await serve({ address: '127.0.0.1:0', services: [echo(handlers)], context: serverContext });
    return { port, client: connect(EchoDefinition, `127.0.0.1:${port}`, { context: clientContext }) };
  };

  it('408 QUERY_TIMEOUT when it passes, and what the handler runs is told to stop', async () => {
    const stopped: unknown[] = [];
    const { client } = await open({
      echo: (_request, call) =>
        untilAborted(call.signal).catch((reason: unknown) => {
          stopped.push(reason);
          throw reason;
        }),
    });
    // The connection is there beforehand, so that the deadline cannot pass before the handler has begun.
    await client.read({ words: [] }, {});
    const call = client.echo({ words: [] }, { deadline: context.clock.now() + 600 });
    await expect(call).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    while (stopped.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toMatchObject([{ code: 'QUERY_TIMEOUT' }]);
  });

  it('reaches through two services, and ends the work of the last', async () => {
    const seen: number[] = [];
    let stopped: (value: unknown) => void = () => {};
    const innermost = new Promise((resolve) => (stopped = resolve));
    const { client: inner } = await open({
      echo: (_request, call) => {
        seen.push(call.deadline);
        return untilAborted(call.signal).finally(() => stopped(undefined));
      },
    });
    const { client: outer } = await open({
      echo: (request, call) => {
        seen.push(call.deadline);
        return inner.echo(request, call);
      },
    });
    await outer.read({ words: [] }, {});
    await inner.read({ words: [] }, {});
    const deadline = context.clock.now() + 700;
    await expect(outer.echo({ words: [] }, { deadline })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await innermost;
    expect(seen).toHaveLength(2);
    for (const moment of seen) expect(Math.abs(moment - deadline)).toBeLessThan(300);
  });

  it('is ten seconds when the caller names none', async () => {
    let left = 0;
    const { client } = await open({
      echo: async (request, call) => {
        left = call.remainingMs();
        return request;
      },
    });
    await client.echo({ words: [] }, {});
    expect(left).toBeGreaterThan(8_000);
    expect(left).toBeLessThanOrEqual(10_000);
  });

  it('is there also for a caller that is not ours and set none', async () => {
    let call: Call | undefined;
    const { port } = await open({
      echo: async (request, own) => {
        call = own;
        return request;
      },
    });
    const stranger = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const method = toGrpcMethod(EchoDefinition, EchoDefinition.methods.echo);
    await new Promise((resolve) => {
      stranger.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        { words: [] },
        resolve,
      );
    });
    stranger.close();
    expect(call?.remainingMs()).toBeGreaterThan(8_000);
  });

  it('408 QUERY_TIMEOUT without a call when it had passed before', async () => {
    let called = false;
    const { client } = await open({
      echo: async (request) => {
        called = true;
        return request;
      },
    });
    const late = client.echo({ words: [] }, { deadline: context.clock.now() - 1 });
    await expect(late).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect(called).toBe(false);
  });

  it('is told by each service in the time of its own clock', async () => {
    const past = testContext({ clock: manualClock('2001-01-01T00:00:00Z') });
    const future = testContext({ clock: manualClock('2101-01-01T00:00:00Z') });
    let left = 0;
    let deadline = 0;
    const handler = async (request: { words: string[] }, call: Call) => {
      left = call.remainingMs();
      deadline = call.deadline;
      return request;
    };
    const { client } = await open({ echo: handler }, future, past);
    await client.echo({ words: [] }, { deadline: past.clock.now() + 5_000 });
    await Promise.all([past.lifecycle.close(), future.lifecycle.close()]);
    expect(left).toBeGreaterThan(3_000);
    expect(left).toBeLessThanOrEqual(5_001);
    expect(new Date(deadline).getUTCFullYear()).toBe(2101);
  });

  it('gives the caller’s own reason when the caller cancels, and tells the handler', async () => {
    let stopped: (value: unknown) => void = () => {};
    const heard = new Promise((resolve) => (stopped = resolve));
    let begun: (value: unknown) => void = () => {};
    const running = new Promise((resolve) => (begun = resolve));
    const { client } = await open({
      echo: (_request, call) => {
        begun(undefined);
        return untilAborted(call.signal).finally(() => stopped(undefined));
      },
    });
    const controller = new AbortController();
    const call = client.echo({ words: [] }, { signal: controller.signal });
    await running;
    controller.abort(new DOMException('late', 'TimeoutError'));
    await expect(call).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await heard;
    await expect(client.echo({ words: [] }, { signal: controller.signal })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
  });

  it('aborts nothing once the call is answered', async () => {
    let signal: AbortSignal | undefined;
    const { client } = await open({
      echo: async (request, call) => {
        signal = call.signal;
        return request;
      },
    });
    await client.echo({ words: [] }, {});
    client.close();
    await context.lifecycle.close();
    expect(signal?.aborted).toBe(false);
  });
});
