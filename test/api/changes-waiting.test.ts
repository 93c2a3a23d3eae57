import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer, Json } from '../support/client.ts';
import { openEventStream } from '../support/event-stream.ts';
import { KEY, openLoneGateway, type LoneGateway } from './lone-gateway.ts';
import { rawConnection } from './raw-http.ts';

const MOST_WAITING = 50;

let gateway: LoneGateway;
/** The number of the newest change. */
let head: number;
/** Calls of WatchChanges that are open, each with what ends it. */
let watching: Set<() => void>;
let deadlines: number[];
/** Of every change. */
let data: string;

const changes = {
  async listChanges({ since }: { since?: { $case: string; value: unknown } | undefined }, { deadline = 0 } = {}) {
    deadlines.push(deadline - gateway.clock.now());
    const after = since?.$case === 'seq' ? Number(since.value) : since?.$case === 'now' ? head : 0;
    const found = Array.from({ length: head - after }, (_, n) => changeOf(after + 1 + n));
    return { changes: found, nextSeq: head, nextCursor: `c${head}`, hasMore: false };
  },
  async watchChanges({ seq }: { seq: number }, { signal }: { signal?: AbortSignal } = {}) {
    let wake = () => {};
    const over = new Promise<void>((resolve) => (wake = resolve));
    watching.add(wake);
    signal?.addEventListener('abort', wake);
    if (head <= seq) await over;
    watching.delete(wake);
    return { seq: head };
  },
};
const changeOf = (seq: number) => ({
  seq,
  id: `evt_${seq}`,
  event: 'email.created',
  createdAt: '2026-01-01T00:00:00.000Z',
  data,
  cursor: `c${seq}`,
});
const append = () => {
  head += 1;
  for (const wake of watching) wake();
};

const start = async (bounds = {}) => {
  const labelRule = { listLabels: async () => ({ items: [] }) };
  gateway = await openLoneGateway({ services: { changes, labelRule } as never, bounds });
  gateway.workspace.plan = 'expert';
};
beforeEach(() => {
  [head, watching, deadlines] = [0, new Set(), []];
  data = '{"emailId":"eml_1"}';
});
afterEach(async () => {
  gateway.context.readiness.drain();
  await gateway.close();
});

const poll = () => gateway.caller.get('/changes?since=now&wait=25');
const items = ({ body }: Answer<Json>) => body.items.length;
const briefly = () => new Promise((resolve) => setTimeout(resolve, 20));
const until = async (holds: () => boolean) => {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries === 500) throw new Error(`it does not come to that: ${holds.toString()}`);
    await briefly();
  }
};
const stream = () => openEventStream(`${gateway.baseUrl}/changes/stream`, { authorization: `Bearer ${KEY}` });
const raw = async (path: string, method = 'GET') => {
  const connection = await rawConnection(gateway.baseUrl);
  connection.socket.write(`${method} /api/v1${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
  return connection;
};

describe('calls that wait', () => {
  it('share one watch of their workspace, and are answered all by one change', async () => {
    await start();
    const polls = Array.from({ length: 20 }, poll);
    const opened = await stream();
    await until(() => deadlines.length > 20 && watching.size > 0);
    await briefly();
    expect(watching.size).toBe(1);
    append();
    expect((await Promise.all(polls)).map(items)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(await opened.until(1)).toMatchObject([{ id: 'c1', event: 'email.created' }]);
    opened.close();
  });

  it('hold no permit of a call, and are no requests under way: others are answered', async () => {
    await start({ MAX_CALLS_PER_WORKSPACE: 1, MAX_IN_FLIGHT: 1 });
    const polls: Promise<Answer<Json>>[] = [];
    for (const _ of Array.from({ length: 5 })) {
      const before = deadlines.length;
      polls.push(poll());
      await until(() => deadlines.length > before);
      await briefly();
    }
    const opened = await stream();
    expect((await gateway.caller.get('/labels')).status).toBe(200);
    append();
    expect((await Promise.all(polls)).map(items)).toEqual([1, 1, 1, 1, 1]);
    opened.close();
  });

  it('may wait longer than a request may last, and have the time of one for what they read then', async () => {
    await start();
    const waiting = poll();
    await until(() => watching.size > 0);
    await gateway.clock.advance(20_000);
    append();
    expect(items(await waiting)).toBe(1);
    expect(deadlines).toEqual([10_000, 10_000]);
  });

  it('are answered without items when their time is over, without another look', async () => {
    await start();
    const waiting = poll();
    await until(() => watching.size > 0);
    await gateway.clock.advance(25_000);
    expect(items(await waiting)).toBe(0);
    expect(deadlines).toHaveLength(1);
    await until(() => watching.size === 0);
  });

  it('are answered at once without items by a gateway that drains', async () => {
    await start();
    const waiting = [poll(), poll()];
    await until(() => deadlines.length === 2);
    const opened = await stream();
    // A stream asks twice: for its beginning, and for its first page.
    await until(() => deadlines.length === 4 && watching.size > 0);
    gateway.context.readiness.drain();
    expect((await Promise.all(waiting)).map(items)).toEqual([0, 0]);
    // One that asks again here is not answered at once, so that it does not spend its units on that.
    let isAnswered = false;
    const again = poll().finally(() => (isAnswered = true));
    await until(() => deadlines.length === 5);
    await briefly();
    expect(isAnswered).toBe(false);
    await gateway.clock.advance(1_000);
    expect(items(await again)).toBe(0);
    await opened.ended;
    expect(opened.text()).toMatch(/\nretry: 1000\n\n$/);
  });

  it.each<[number, string, { key?: object; workspace?: object }]>([
    [401, 'API_KEY_REVOKED', { key: { revokedAt: '2026-01-01T00:00:00.000Z' } }],
    [403, 'WORKSPACE_SUSPENDED', { workspace: { isSuspended: true } }],
    [403, 'INSUFFICIENT_SCOPE', { key: { scopes: ['write'] } }],
  ])('%i %s, and no change, where that happens while they wait', async (status, code, { key, workspace }) => {
    await start();
    const waiting = poll();
    await until(() => watching.size > 0);
    Object.assign(gateway.key, key);
    Object.assign(gateway.workspace, workspace);
    await gateway.clock.advance(6_000);
    append();
    const answer = await waiting;
    expect([answer.status, answer.body.code, deadlines.length]).toEqual([status, code, 1]);
    expect(answer.headers.has('x-ratelimit-limit')).toBe(status !== 401);
  });

  it('429 RATE_LIMIT_EXCEEDED for one more than fifty of a workspace, until some of their clients are gone', async () => {
    await start();
    const waiting = await Promise.all(Array.from({ length: MOST_WAITING }, () => raw('/changes?since=now&wait=25')));
    await until(() => deadlines.length === MOST_WAITING);
    await briefly();
    const refused = await poll();
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.body.error).toBe('This workspace has 50 calls that wait for changes; end one, or try again later.');
    // One is cut, and one closes its sending side, which is answered.
    waiting[0]?.socket.destroy();
    waiting[1]?.socket.end();
    await until(() => waiting[1]?.heard().includes('"items":[]') === true);
    const both = [poll(), poll()];
    await until(() => deadlines.length === MOST_WAITING + 3);
    append();
    expect((await Promise.all(both)).map(items)).toEqual([1, 1]);
    for (const { socket } of waiting) socket.destroy();
  });
});

describe('a stream', () => {
  it('ends within a minute when its key is revoked, and when its workspace is suspended', async () => {
    await start();
    const first = await stream();
    gateway.key.revokedAt = new Date(gateway.clock.now()).toISOString();
    await gateway.clock.advance(60_000);
    await first.ended;
    gateway.key.revokedAt = undefined;
    await gateway.clock.advance(6_000);
    const second = await stream();
    gateway.workspace.isSuspended = true;
    await gateway.clock.advance(60_000);
    await second.ended;
  });

  it('is the last of its connection: no request behind it is begun', async () => {
    await start();
    const { socket, heard } = await raw('/changes/stream');
    await until(() => heard().includes('retry'));
    expect(heard()).toMatch(/Connection: close/i);
    const before = deadlines.length;
    socket.write(`GET /api/v1/changes HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    await briefly();
    append();
    await until(() => heard().includes('id: c1'));
    expect(deadlines.length).toBeLessThanOrEqual(before + 2);
    expect(heard().match(/HTTP\/1\.1/g)).toHaveLength(1);
    socket.destroy();
  });

  it('frees its slot when its client closes its sending side', async () => {
    await start();
    const opened = await Promise.all(Array.from({ length: 10 }, () => raw('/changes/stream')));
    await until(() => opened.every(({ heard }) => heard().includes('retry')));
    opened[0]?.socket.end();
    await until(() => opened[0]?.heard().endsWith('retry: 1000\n\n\r\n0\r\n\r\n') === true);
    const next = await stream();
    expect(next.status).toBe(200);
    next.close();
    for (const { socket } of opened) socket.destroy();
  });

  it('holds one page for a client that never reads, is cut after a minute, and keeps nobody else waiting', async () => {
    await start();
    const megabyte = 1_048_576;
    const slow = await Promise.all(Array.from({ length: 9 }, () => raw('/changes/stream')));
    await until(() => slow.every(({ heard }) => heard().includes('retry')));
    for (const { socket } of slow) socket.pause();
    const reader = await stream();
    data = JSON.stringify({ emailId: 'x'.repeat(megabyte) });
    const gauge = async (name: string) =>
      Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)`, 'm').exec(await gateway.context.metrics.page())?.[1]);
    const seen: number[] = [];
    const see = async () => {
      append();
      await reader.until(seen.length + 1);
      await gateway.clock.advance(1_000);
      seen.push(await gauge('http_unread_bytes'));
    };
    // The kernel takes as many pages of each as it likes; of what it does not take, a stream has one page in memory.
    while (Math.max(0, ...seen) <= megabyte && seen.length < 200) await see();
    for (let n = 1; n <= 3; n += 1) await see();
    expect(Math.max(...seen)).toBeGreaterThan(megabyte);
    expect(Math.max(...seen)).toBeLessThan((slow.length + 1) * 1.1 * megabyte);
    await gateway.clock.advance(61_000);
    while ((await gauge('changes_streams')) > 1) await briefly();
    const next = await Promise.all(Array.from({ length: 9 }, stream));
    expect(next.map(({ status }) => status)).toEqual(next.map(() => 200));
    append();
    const all = Array.from({ length: seen.length + 1 }, (_, n) => n + 1);
    await reader.until(all.length);
    expect(reader.events().map(({ data: { seq } }) => seq)).toEqual(all);
    for (const one of [reader, ...next]) one.close();
    for (const { socket } of slow) socket.destroy();
  });

  it('404 NOT_FOUND for HEAD, as for any other method', async () => {
    await start();
    for (const [method, path] of [
      ['HEAD', '/changes/stream'],
      ['HEAD', '/changes'],
      ['POST', '/changes'],
    ] as const) {
      const { socket, heard } = await raw(path, method);
      await until(() => heard().includes('\r\n\r\n'));
      expect(heard()).toMatch(/^HTTP\/1\.1 404 /);
      socket.destroy();
    }
  });
});

describe('a gateway without the feature', () => {
  it.each(['/changes', '/changes?since=now&wait=26', '/changes/stream'])(
    '404 NOT_FOUND for %s, as for a path that nobody has',
    async (path) => {
      await start({ FEATURES: [] });
      const told = async (asked: string, key?: string) => {
        const headers: Record<string, string> = key === undefined ? {} : { authorization: key };
        const { status, headers: got, body } = await gateway.caller.get(asked, { headers });
        return { status, body, names: [...got.keys()].sort() };
      };
      expect(await told(path)).toEqual(await told('/nothing'));
      expect(await told(path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(await told(path, '')).toEqual(await told('/nothing', ''));
      gateway.key.scopes = ['write'];
      await gateway.clock.advance(6_000);
      expect(await told(path)).toEqual(await told('/nothing'));
      expect(deadlines).toEqual([]);
    },
  );
});
