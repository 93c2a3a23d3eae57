import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js';
import { ApiError } from '@postroom/errors/api-error';
import type { Call } from '../call.ts';
import { connect } from '../connect.ts';
import { toGrpcService } from '../definition.ts';
import { echo, EchoDefinition, testContext, type TestContext, type Words } from '../echo.test-support.ts';
import { serve, type ServeOptions } from '../serve.ts';
import { StreamLost, type MultiplexedStream, type StreamedCall } from './stream.ts';
import { createStreamPool, type StreamPool, type StreamTimes } from './stream-pool.ts';

const bytesOf = (...words: string[]) => Buffer.from(JSON.stringify({ words }));
const wordsOf = (bytes: Buffer) => (JSON.parse(bytes.toString()) as Words).words;
const ask = (stream: MultiplexedStream, question: Partial<StreamedCall> = {}) =>
  stream.ask({ path: '/postroom.test.EchoService/Read', body: bytesOf('a'), leftMs: 10_000, ...question });
const until = async <T>(find: () => T | undefined | false): Promise<T> => {
  for (;;) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const listen = (server: Server) =>
  new Promise<number>((resolve) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, port) => resolve(port));
  });

describe('multiplexed streams', () => {
  let context: TestContext;
  let closing: (() => unknown)[];
  beforeEach(() => {
    context = testContext();
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing) close();
    await context.lifecycle.close();
  });

  const open = (handlers: Parameters<typeof echo>[0] = {}, options: Partial<ServeOptions> = {}) =>
    serve({ address: '127.0.0.1:0', services: [echo(handlers)], context, ...options });
  const poolTo = (ports: number[], times?: StreamTimes): StreamPool => {
    const client = new Client(
      `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
      credentials.createInsecure(),
      {
        'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
      },
    );
    const pool = createStreamPool(client, times);
    closing.push(
      () => pool.close(),
      () => client.close(),
    );
    return pool;
  };
  const streamTo = async (port: number) => {
    const pool = poolTo([port]);
    return until(() => pool.pick());
  };
  /** A peer of a version without multiplexed streams. */
  const openOld = async () => {
    const server = new Server();
    const read = (call: { request: Words }, answer: (error: null, words: Words) => void) => answer(null, call.request);
    server.addService(toGrpcService(EchoDefinition), { read });
    closing.push(() => server.forceShutdown());
    return listen(server);
  };

  it('bring workspace, request id and trace to the handler, and its answer back', async () => {
    const { port } = await open({
      read: async ({ words }, call) => ({ words: [...words, call.workspaceId, call.requestId, `${call.traceparent}`] }),
    });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const question = { body: bytesOf('größer', '👍'), workspaceId: 'wsp_1', requestId: 'req_1', traceparent };
    expect(wordsOf(await ask(await streamTo(port), question))).toEqual(['größer', '👍', 'wsp_1', 'req_1', traceparent]);
  });

  it('give each of many calls its own answer, in whatever order they come', async () => {
    const { port } = await open({
      read: async (request) => {
        await new Promise((resolve) => setTimeout(resolve, Number(request.words[0]) % 7));
        return request;
      },
    });
    const stream = await streamTo(port);
    const numbers = Array.from({ length: 100 }, (_, index) => `${index}`);
    const answers = await Promise.all(numbers.map((number) => ask(stream, { body: bytesOf(number) })));
    expect(answers.flatMap(wordsOf)).toEqual(numbers);
  });

  it('fail with the very error the handler threw, and log what nobody expected', async () => {
    const details = { labelId: ['«unbekannt»'] };
    const failures = [new ApiError('LABEL_NOT_FOUND', { message: 'Nope.', details }), new Error('secret')];
    const { port } = await open({ read: () => Promise.reject(failures.shift() as Error) });
    const stream = await streamTo(port);
    await expect(ask(stream)).rejects.toMatchObject({ code: 'LABEL_NOT_FOUND', message: 'Nope.', details });
    await expect(ask(stream)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.not.stringMatching('secret'),
    });
    expect(context.logged()).toMatch('secret');
  });

  it('end a call at its deadline at both ends, and carry the next one', async () => {
    const calls: Call[] = [];
    const { port } = await open({
      read: (request, call) => {
        calls.push(call);
        return calls.length === 1 ? new Promise(() => {}) : Promise.resolve(request);
      },
    });
    const stream = await streamTo(port);
    await expect(ask(stream, { leftMs: 100 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await until(() => calls[0]?.signal.aborted);
    expect(wordsOf(await ask(stream))).toEqual(['a']);
    expect(calls[1]?.remainingMs()).toBeLessThanOrEqual(10_000);
  });

  it('tell the handler of a caller that goes away, and forget its answer', async () => {
    const calls: Call[] = [];
    const finish: (() => void)[] = [];
    const { port } = await open({
      read: async (request, call) => {
        calls.push(call);
        await new Promise<void>((resolve) => finish.push(resolve));
        return request;
      },
    });
    const stream = await streamTo(port);
    const caller = new AbortController();
    const asked = ask(stream, { signal: caller.signal });
    const other = ask(stream, { body: bytesOf('b') });
    await until(() => calls.length === 2);
    caller.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    await until(() => calls[0]?.signal.aborted);
    for (const resolve of finish) resolve();
    expect(wordsOf(await other)).toEqual(['b']);
    expect(calls[1]?.signal.aborted).toBe(false);
  });

  it('are taken in rotation, one to each peer behind the name', async () => {
    const answers = (name: string) => ({ read: async () => ({ words: [name] }) });
    const ports = await Promise.all(['a', 'b', 'c'].map(async (name) => (await open(answers(name))).port));
    const pool = poolTo(ports, { searchMs: 20, soonMs: 1, streamMs: 20_000 });
    const rotation = () =>
      Promise.all(Array.from({ length: 6 }, async () => wordsOf(await ask(await until(() => pool.pick())))[0]));
    await until(() => new Set(Array.from({ length: 3 }, () => pool.pick())).size === 3);
    expect((await rotation()).join('')).toMatch(/^(\w{3})\1$/);
  });

  it('leave a peer that does not know them its share of the calls', async () => {
    const pool = poolTo([await openOld(), (await open()).port], { searchMs: 20, soonMs: 1, streamMs: 20_000 });
    const picked = await until(() => {
      const rotation = Array.from({ length: 6 }, () => pool.pick());
      return rotation.some(Boolean) && rotation.some((stream) => !stream) && rotation;
    });
    expect(picked.filter(Boolean)).toHaveLength(3);
  });

  it('are no condition: a peer that does not know them is called as ever', async () => {
    const client = connect(EchoDefinition, `127.0.0.1:${await openOld()}`, { context });
    for (let call = 0; call < 10; call++) expect(await client.read({ words: ['a'] }, {})).toEqual({ words: ['a'] });
  });

  it('are nothing that a caller or a handler sees: errors, deadlines, cancelling and measurements are as ever', async () => {
    const details = { q: ['too long'] };
    const { port } = await open({
      read: ({ words }, call) => {
        if (words[0] === 'refuse') return Promise.reject(new ApiError('VALIDATION_FAILED', { details }));
        if (words[0] === 'hang') return new Promise(() => {});
        return Promise.resolve({ words: [call.workspaceId, call.requestId] });
      },
    });
    const client = connect(EchoDefinition, `127.0.0.1:${port}`, { context });
    const metadata = { workspaceId: 'wsp_1', requestId: 'req_1' };
    // A call of its own at first, then over the stream that this call opens.
    for (let rotation = 0; rotation < 2; rotation++) {
      expect(await client.read({ words: [] }, metadata)).toEqual({ words: ['wsp_1', 'req_1'] });
      await expect(client.read({ words: ['refuse'] }, metadata)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details,
      });
      const deadline = Date.now() + 100;
      await expect(client.read({ words: ['hang'] }, { deadline })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
      const caller = new AbortController();
      const asked = client.read({ words: ['hang'] }, { signal: caller.signal });
      caller.abort(new ApiError('NOT_FOUND'));
      await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(client.read({ words: [] }, { signal: caller.signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(client.read({ words: [] }, { deadline })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const page = await context.metrics.page();
    for (const [side, method] of Object.entries({ server: 'EchoService/Read', client: 'EchoService/Read' })) {
      for (const [code, count] of Object.entries({ OK: 2, VALIDATION_FAILED: 2 })) {
        expect(page).toContain(`rpc_${side}_seconds_count{method="${method}",code="${code}",service="echo"} ${count}`);
      }
    }
  });

  it('are renewed, and what is under way still ends on the old one', async () => {
    let finish: (() => void) | undefined;
    const { port } = await open({
      read: async ({ words }) => {
        if (words[0] === 'slow') await new Promise<void>((resolve) => (finish = resolve));
        return { words };
      },
    });
    const pool = poolTo([port], { searchMs: 50, soonMs: 1, streamMs: 20_000 });
    const old = await until(() => pool.pick());
    const slow = ask(old, { body: bytesOf('slow') });
    const next = await until(() => {
      const picked = pool.pick();
      return picked !== old && picked;
    });
    expect(wordsOf(await ask(next))).toEqual(['a']);
    expect(old.isFree()).toBe(false);
    (await until(() => finish))();
    expect(wordsOf(await slow)).toEqual(['slow']);
  });

  it('are not used once they are too old, however long nobody called', async () => {
    const { port } = await open();
    const pool = poolTo([port], { searchMs: 50, soonMs: 50, streamMs: 60 });
    const old = await until(() => pool.pick());
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pool.pick()).toBeUndefined();
    expect(old.isFree()).toBe(false);
    await until(() => pool.pick());
  });

  it('end with their last answer when the server drains, which waits for no more than that', async () => {
    let finish: (() => void) | undefined;
    const wait = async (request: Words) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return request;
    };
    const server = await open({ read: wait }, { drainMs: 60_000 });
    const stream = await streamTo(server.port);
    const asked = ask(stream);
    const answer = await until(() => finish);
    const closed = server.close();
    await until(() => !stream.isFree());
    answer();
    expect(wordsOf(await asked)).toEqual(['a']);
    await closed;
  });

  it('are lost with their connection', async () => {
    const begun: unknown[] = [];
    const broken = await open({ read: (request) => new Promise(() => begun.push(request)) }, { drainMs: 1 });
    const stream = await streamTo(broken.port);
    const asked = ask(stream).catch((error: unknown) => error);
    await until(() => begun.length === 1);
    await broken.close();
    expect(await asked).toBeInstanceOf(StreamLost);
  });

  it('carry more than a peer takes at once, and small answers behind large ones', async () => {
    const large = { words: ['x'.repeat(200_000)] };
    let answered = 0;
    const { port } = await open({
      read: async ({ words }) => {
        answered++;
        return words[0] === 'large' ? large : { words };
      },
    });
    const stream = await streamTo(port);
    const asked = Array.from({ length: 60 }, () => ask(stream, { body: bytesOf('large'), leftMs: 60_000 }));
    await until(() => answered === 60);
    expect(wordsOf(await ask(stream, { leftMs: 60_000 }))).toEqual(['a']);
    expect((await Promise.all(asked)).every((bytes) => bytes.length > 200_000)).toBe(true);
  });
});
