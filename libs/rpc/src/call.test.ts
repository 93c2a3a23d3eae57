import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { Tracing } from '@postroom/runtime/tracing';
import { actorIn } from './actor.ts';
import type { Call } from './call.ts';
import { connect } from './connect.ts';
import { echo, EchoDefinition, testContext } from './echo.test-support.ts';
import type { TestContext } from './echo.test-support.ts';
import { serve } from './serve.ts';

describe('a call', () => {
  let context: TestContext;
  beforeEach(() => {
    context = testContext();
  });
  afterEach(() => context.lifecycle.close());

  const open = async (handlers: Parameters<typeof echo>[0], serverContext = context) => {
    const { port } = await serve({ address: '127.0.0.1:0', services: [echo(handlers)], context: serverContext });
    return connect(EchoDefinition, `127.0.0.1:${port}`, { context });
  };

  it('carries its request there and its answer back', async () => {
    const client = await open({});
    expect(await client.echo({ words: ['größer', '👍'] }, {})).toEqual({ words: ['größer', '👍'] });
  });

  it('carries megabytes, as a thread with its bodies may be', async () => {
    const client = await open({});
    const words = ['x'.repeat(8_000_000)];
    expect((await client.echo({ words }, {})).words[0]?.length).toBe(8_000_000);
  });

  it('brings workspace, request id and trace to the handler', async () => {
    const client = await open({
      echo: async (_request, call) => ({ words: [call.workspaceId, call.requestId, `${call.traceparent}`] }),
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { words } = await client.echo({ words: [] }, { workspaceId: 'wsp_1', requestId: 'req_1', traceparent });
    expect(words).toEqual(['wsp_1', 'req_1', traceparent]);
  });

  it('brings the actor of a change, whatever script the name is in', async () => {
    const actor = { kind: 'key', id: 'key_1', name: 'größe 👍 "x"', address: '192.0.2.1' } as const;
    const client = await open({ echo: async (_request, call) => ({ words: [JSON.stringify(call.actor)] }) });
    expect(await client.echo({ words: [] }, { actor })).toEqual({ words: [JSON.stringify(actor)] });
  });

  it('has no actor where the caller names none, and that of the connection where it has one', async () => {
    const operator = { kind: 'operator', id: '', name: 'operator', address: '' } as const;
    const handlers = { echo: async (_request: unknown, call: Call) => ({ words: [`${call.actor?.kind}`] }) };
    const { port } = await serve({ address: '127.0.0.1:0', services: [echo(handlers)], context });
    const nobody = connect(EchoDefinition, `127.0.0.1:${port}`, { context });
    const somebody = connect(EchoDefinition, `127.0.0.1:${port}`, { context, actor: operator });
    expect(await nobody.echo({ words: [] }, {})).toEqual({ words: ['undefined'] });
    expect(await somebody.echo({ words: [] }, {})).toEqual({ words: ['operator'] });
  });

  it('brings a name as long as metadata may be, also one that is cut within a character', async () => {
    const actor = { kind: 'client', id: 'g', name: 'x'.repeat(199) + '👍'.repeat(100_000), address: '' } as const;
    const client = await open({ echo: async (_request, call) => ({ words: [`${call.actor?.name.length}`] }) });
    expect(await client.echo({ words: [] }, { actor })).toEqual({ words: ['200'] });
  });

  it('has no actor where the metadata cannot be read', () => {
    for (const text of ['', '%', '%5B%5D', '7', encodeURIComponent('["god","1","x","y"]')])
      expect(actorIn(text)).toBeUndefined();
  });

  it('has no workspace and a request id of its own when the caller gave none', async () => {
    const client = await open({ echo: async (_request, call) => ({ words: [call.workspaceId, call.requestId] }) });
    const { words } = await client.echo({ words: [] }, {});
    expect(words).toEqual(['', expect.stringMatching(/^req_\w{22}$/)]);
  });

  it('can be the context of the next call', async () => {
    const inner = await open({ echo: async (_request, call) => ({ words: [call.workspaceId, call.requestId] }) });
    const outer = await open({ echo: (request, call: Call) => inner.echo(request, call) });
    const { words } = await outer.echo({ words: [] }, { workspaceId: 'wsp_1', requestId: 'req_1' });
    expect(words).toEqual(['wsp_1', 'req_1']);
  });

  it('fails with the very error its handler threw', async () => {
    const details = { labelId: ['«unbekannt»'] };
    const client = await open({
      echo: () => Promise.reject(new ApiError('LABEL_NOT_FOUND', { message: 'Nope.', details })),
    });
    await expect(client.echo({ words: [] }, {})).rejects.toMatchObject({
      code: 'LABEL_NOT_FOUND',
      message: 'Nope.',
      details,
    });
    expect(context.logged()).not.toContain('"level":"error"');
  });

  it('keeps an error of its own through two hops', async () => {
    const inner = await open({ echo: () => Promise.reject(new ApiError('CONFLICT', { details: { a: 1 } })) });
    const outer = await open({ echo: (request, call) => inner.echo(request, call) });
    await expect(outer.echo({ words: [] }, {})).rejects.toMatchObject({ code: 'CONFLICT', details: { a: 1 } });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('the password is hunter2'))],
    [
      'throws',
      () => {
        throw new Error('the password is hunter2');
      },
    ],
  ])('500 INTERNAL_ERROR when a handler %s a stranger, whose cause only the log hears', async (_how, handler) => {
    const client = await open({ echo: handler });
    const error = await client
      .echo({ words: [] }, { requestId: 'req_7', workspaceId: 'wsp_7' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: 'Something went wrong on our side; try again.' });
    expect(String((error as Error).cause)).not.toContain('hunter2');
    const line = JSON.parse(context.logged().trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(line).toMatchObject({
      level: 'error',
      requestId: 'req_7',
      workspaceId: 'wsp_7',
      method: 'EchoService/Echo',
    });
    expect(line).toMatchObject({ err: { message: 'the password is hunter2' } });
  });

  it('500 INTERNAL_ERROR when nobody is there', async () => {
    const client = connect(EchoDefinition, '127.0.0.1:1', { context });
    const deadline = context.clock.now() + 1_000;
    await expect(client.echo({ words: [] }, { deadline })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('is measured at both ends, with its code', async () => {
    const client = await open({ echo: () => Promise.reject(new ApiError('NOT_FOUND')) });
    await client.echo({ words: [] }, {}).catch(() => {});
    await client.read({ words: [] }, {});
    const page = await context.metrics.page();
    expect(page).toContain('rpc_server_seconds_count{method="EchoService/Echo",code="NOT_FOUND",service="echo"} 1');
    expect(page).toContain('rpc_client_seconds_count{method="EchoService/Echo",code="NOT_FOUND",service="echo"} 1');
    expect(page).toContain('rpc_server_seconds_count{method="EchoService/Read",code="OK",service="echo"} 1');
  });

  it('is a client span with a server span inside, and the handler goes on from there', async () => {
    const names: string[] = [];
    let made = 0;
    const tracing: Tracing = {
      enabled: true,
      withSpan: (name, _attributes, parent, work, kind) => {
        names.push(`${kind} ${name} in ${parent}`);
        made += 1;
        return work({ traceparent: `span-${made}`, set: () => {}, fail: () => {}, end: () => {} });
      },
      startSpan: () => ({ traceparent: undefined, set: () => {}, fail: () => {}, end: () => {} }),
      decide: (parent) => parent,
      current: () => undefined,
      close: () => Promise.resolve(),
    };
    context = { ...context, tracing };
    const client = await open({ echo: async (_request, call) => ({ words: [`${call.traceparent}`] }) });
    const { words } = await client.echo({ words: [] }, { traceparent: 'gateway' });
    expect(names).toEqual(['client EchoService/Echo in gateway', 'server EchoService/Echo in span-1']);
    expect(words).toEqual(['span-2']);
  });
});

describe('a call with many requests', () => {
  let context: TestContext;
  beforeEach(() => {
    context = testContext();
  });
  afterEach(() => context.lifecycle.close());

  const open = async (handlers: Parameters<typeof echo>[0]) => {
    const { port } = await serve({ address: '127.0.0.1:0', services: [echo(handlers)], context });
    return connect(EchoDefinition, `127.0.0.1:${port}`, { context });
  };

  it('brings them all in order and answers once', async () => {
    const client = await open({});
    const requests = Array.from({ length: 500 }, (_, index) => ({ words: [`${index}`] }));
    expect((await client.gather(requests, {})).words).toEqual(requests.map(({ words }) => words[0]));
  });

  it('sends no faster than they are taken', async () => {
    let made = 0;
    let seen = 0;
    let ahead = 0;
    async function* requests() {
      for (; made < 200; made += 1) {
        ahead = Math.max(ahead, made - seen);
        yield { words: ['x'.repeat(100_000)] };
      }
    }
    const client = await open({
      gather: async (incoming) => {
        for await (const _request of incoming) {
          seen += 1;
          await new Promise((resolve) => setImmediate(resolve));
        }
        return { words: [`${seen}`] };
      },
    });
    expect(await client.gather(requests(), {})).toEqual({ words: ['200'] });
    expect(ahead).toBeLessThan(100);
  });

  it('fails as its handler does, however much is still to send', async () => {
    const client = await open({ gather: () => Promise.reject(new ApiError('MAILBOX_NOT_FOUND')) });
    async function* endless() {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield { words: ['again'] };
      }
    }
    await expect(client.gather(endless(), {})).rejects.toMatchObject({ code: 'MAILBOX_NOT_FOUND' });
  });

  it('fails at both ends when the source of the requests does', async () => {
    let heard: unknown;
    let begun: (value: unknown) => void = () => {};
    const running = new Promise((resolve) => (begun = resolve));
    let ended: (value: unknown) => void = () => {};
    const over = new Promise((resolve) => (ended = resolve));
    const client = await open({
      gather: async (incoming) => {
        try {
          for await (const _request of incoming) begun(undefined);
          return { words: ['taken for whole'] };
        } catch (error) {
          heard = error;
          throw error;
        } finally {
          ended(undefined);
        }
      },
    });
    async function* broken() {
      yield { words: ['one'] };
      await running;
      throw new Error('the file ended early');
    }
    await expect(client.gather(broken(), {})).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await over;
    expect(heard).toMatchObject({ code: 'QUERY_TIMEOUT' });
  });
});
