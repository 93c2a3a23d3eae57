import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { isHanging } from '@postroom/errors/unavailable';
import { connect, type Connection } from './connect.ts';
import { echo, EchoDefinition, testContext, type TestContext } from './echo.test-support.ts';
import { serve } from './serve.ts';

describe('a call that has no answer in time', () => {
  let context: TestContext;
  let client: Connection<typeof EchoDefinition>;
  let release: () => void;
  /** Has come as far as its handler. */
  let begun: Promise<void>;
  beforeEach(async () => {
    context = testContext();
    const released = new Promise<void>((resolve) => (release = resolve));
    let begin: () => void;
    begun = new Promise((resolve) => (begin = resolve));
    const handlers = echo({
      echo: async (request) => {
        if (request.words[0] === 'refused') throw new ApiError('NOT_FOUND');
        if (request.words[0] !== 'slow') return request;
        begin();
        await released;
        throw new ApiError('QUERY_TIMEOUT');
      },
    });
    const { port } = await serve({ address: '127.0.0.1:0', services: [handlers], context });
    client = connect(EchoDefinition, `127.0.0.1:${port}`, { context });
  });
  afterEach(() => {
    release();
    return context.lifecycle.close();
  });

  const failure = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error as ApiError,
    );
  const slowWhile = async (meanwhile: () => Promise<unknown>) => {
    const slow = failure(client.echo({ words: ['slow'] }, {}));
    await begun;
    await meanwhile();
    release();
    return slow;
  };

  it('is its own fault where somebody else was answered meanwhile', async () => {
    const error = await slowWhile(() => client.echo({ words: ['quick'] }, {}));
    expect([error?.code, isHanging(error)]).toEqual(['QUERY_TIMEOUT', false]);
  });

  it('is its own fault where somebody else was refused meanwhile', async () => {
    const error = await slowWhile(() => failure(client.echo({ words: ['refused'] }, {})));
    expect([error?.code, isHanging(error)]).toEqual(['QUERY_TIMEOUT', false]);
  });

  it('met a peer that hangs where nobody was, whoever was before it or asked for something else', async () => {
    await client.echo({ words: ['before'] }, {});
    const error = await slowWhile(() => client.read({ words: [] }, {}));
    expect([error?.code, isHanging(error)]).toEqual(['QUERY_TIMEOUT', true]);
  });

  it('met one that hangs where its own time passed without a word', async () => {
    const error = await failure(client.echo({ words: ['slow'] }, { deadline: context.clock.now() + 300 }));
    expect([error?.code, isHanging(error)]).toEqual(['QUERY_TIMEOUT', true]);
  });

  it('tells nothing of its peer where its caller has left', async () => {
    const caller = new AbortController();
    const call = failure(client.echo({ words: ['slow'] }, { signal: caller.signal }));
    await begun;
    caller.abort(new ApiError('QUERY_TIMEOUT'));
    const error = await call;
    expect([error?.code, isHanging(error)]).toEqual(['QUERY_TIMEOUT', false]);
  });
});
