import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from './connect.ts';
import { echo, EchoDefinition, testContext } from './echo.test-support.ts';
import type { TestContext, Words } from './echo.test-support.ts';
import { serve } from './serve.ts';
import type { Served } from './serve.ts';

describe('several servers behind one name', () => {
  let context: TestContext;
  let answers: Map<string, number>;
  beforeEach(() => {
    context = testContext();
    answers = new Map();
  });
  afterEach(() => context.lifecycle.close());

  const open = (name: string, options: { port?: number; maxConnectionAgeMs?: number } = {}): Promise<Served> => {
    const answer = async () => {
      answers.set(name, (answers.get(name) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      return { words: [name] };
    };
    const { port = 0, ...others } = options;
    return serve({
      address: `127.0.0.1:${port}`,
      services: [echo({ echo: answer, read: answer })],
      context,
      ...others,
    });
  };
  const connectTo = (...servers: Served[]) =>
    connect(EchoDefinition, `ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`, { context });
  type Echo = ReturnType<typeof connectTo>;

  /** Keeps twenty calls in flight until told to stop, and resolves to what failed. */
  const load = (client: Echo) => {
    let running = true;
    const failures: unknown[] = [];
    let calls = 0;
    const worker = async () => {
      while (running) {
        calls += 1;
        // Reads share a stream to each server, other calls have one each.
        const call = calls % 2 === 0 ? client.read : client.echo;
        await call({ words: [] }, {}).catch((error: unknown) => failures.push(String((error as Error).cause)));
      }
    };
    const workers = Promise.all(Array.from({ length: 20 }, worker));
    return {
      calls: () => calls,
      stop: async () => {
        running = false;
        await workers;
        return failures;
      },
    };
  };
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('take calls in rotation', async () => {
    const client = connectTo(await open('a'), await open('b'));
    await until(() => {
      void client.read({ words: [] }, {}).catch(() => {});
      return answers.size === 2;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    answers.clear();
    for (let call = 0; call < 20; call += 1) await client.echo({ words: [] }, {});
    expect([...answers.values()]).toEqual([10, 10]);
  });

  it('fail no call when one of them drains under load', async () => {
    const [a, b] = [await open('a'), await open('b')];
    const busy = load(connectTo(a, b));
    await until(() => answers.size === 2 && busy.calls() > 100);
    await a.close();
    const before = answers.get('a');
    const then = busy.calls();
    await until(() => busy.calls() > then + 100);
    expect(await busy.stop()).toEqual([]);
    expect(answers.get('a')).toBe(before);
  });

  it('fail no call when connections reach their age, again and again', async () => {
    const busy = load(
      connectTo(await open('a', { maxConnectionAgeMs: 100 }), await open('b', { maxConnectionAgeMs: 100 })),
    );
    await until(() => busy.calls() > 400);
    expect(await busy.stop()).toEqual([]);
  });

  it('fail no call while the only one is replaced, because calls not sent wait for it', async () => {
    const first = await open('a');
    const busy = load(connectTo(first));
    await until(() => busy.calls() > 100);
    await first.close();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await open('b', { port: first.port });
    await until(() => (answers.get('b') ?? 0) > 100);
    expect(await busy.stop()).toEqual([]);
  });

  it('repeat a read whose connection broke, and never a call that may have changed something', async () => {
    const begun: string[] = [];
    const hang = (name: string) => (request: Words) => {
      if (request.words[0] === 'at once') return Promise.resolve(request);
      begun.push(name);
      return new Promise<never>(() => {});
    };
    const broken = await serve({
      address: '127.0.0.1:0',
      services: [echo({ echo: hang('echo'), read: hang('read') })],
      context,
      drainMs: 1,
    });
    const client = connectTo(broken);
    const alone = client.read({ words: [] }, {});
    // By now the reads have a stream that they share.
    await client.read({ words: ['at once'] }, {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    const together = client.read({ words: [] }, {});
    const write = client.echo({ words: [] }, {}).catch((error: unknown) => error);
    await until(() => begun.length === 3);
    await broken.close();
    await open('next', { port: broken.port });
    expect(await Promise.all([alone, together])).toEqual([{ words: ['next'] }, { words: ['next'] }]);
    expect(await write).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(answers.get('next')).toBe(2);
  });

  it('find the names of a host through DNS', async () => {
    const { port } = await open('a');
    const client = connect(EchoDefinition, `localhost:${port}`, { context });
    expect(await client.echo({ words: [] }, {})).toEqual({ words: ['a'] });
  });
});
