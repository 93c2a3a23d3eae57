import { describe, expect, it } from '@jest/globals';
import { createClient, isPostroomError, PostroomError } from './client.ts';

type Reply = (init: RequestInit) => Response | Promise<Response>;

const refusal =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify({ code, error: 'No.' }), { status, headers });
const labels = () =>
  new Response('{"items":[]}', { headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '60' } });
const never: Reply = ({ signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
const broken: Reply = () => Promise.reject(new TypeError('fetch failed'));

/** A client whose calls are answered with one after the other, and what it asked. */
function against(...replies: Reply[]) {
  const asked: (RequestInit & { url: string })[] = [];
  const fetch = (url: string, init: RequestInit) => {
    init.signal?.throwIfAborted();
    asked.push({ ...init, url });
    return Promise.resolve(replies[asked.length - 1]?.(init) ?? labels());
  };
  const client = createClient({
    baseUrl: 'http://api.example/api/v1/',
    key: 'k',
    timeoutMs: 20,
    fetch: fetch as typeof globalThis.fetch,
  });
  return { client, asked };
}
const keysOf = (asked: RequestInit[]) =>
  asked.map(({ headers }) => (headers as Record<string, string>)['idempotency-key']);

describe('a call that fails', () => {
  it.each<[string, Reply]>([
    ['with 500', refusal(500, 'INTERNAL_ERROR', { 'retry-after': '0' })],
    ['with 429, when it says', refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '0' })],
    ['because nobody answers', broken],
    ['because its time is over', never],
    ['with the page of a proxy', () => new Response('<html>Bad gateway</html>', { status: 502 })],
  ])('%s is asked again', async (_why, reply) => {
    const { client, asked } = against(reply);
    expect((await client.listLabels()).data).toEqual({ items: [] });
    expect(asked).toHaveLength(2);
  });

  it.each([
    [400, 'VALIDATION_FAILED'],
    [404, 'LABEL_NOT_FOUND'],
    [408, 'QUERY_TIMEOUT'],
    [409, 'CONFLICT'],
  ])('with %i %s is not', async (status, code) => {
    const { client, asked } = against(refusal(status, code));
    await expect(client.listLabels()).rejects.toMatchObject({ status, code });
    expect(asked).toHaveLength(1);
  });

  it('is not asked again before the API says so, nor later than is wanted', async () => {
    const { client, asked } = against(refusal(429, 'QUOTA_EXCEEDED', { 'retry-after': '86400' }));
    const thrown = await client.listLabels().catch((error: unknown) => error);
    expect(isPostroomError(thrown, 'QUOTA_EXCEEDED') && thrown.retryAfterMs).toBe(86_400_000);
    expect(asked).toHaveLength(1);
  });

  it('is asked three times at most, unless more are wanted', async () => {
    const { client, asked } = against(
      ...Array.from({ length: 9 }, () => refusal(500, 'INTERNAL_ERROR', { 'retry-after': '0' })),
    );
    await expect(client.listLabels()).rejects.toThrow(PostroomError);
    expect(asked).toHaveLength(3);
  });

  it('ends at once when its signal says so while it waits', async () => {
    const { client, asked } = against(refusal(500, 'INTERNAL_ERROR', { 'retry-after': '50' }));
    const stop = new AbortController();
    const answer = client.listLabels({ signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toHaveLength(1);
  });
});

describe('a POST', () => {
  const made = () => new Response('{"label":{}}', { status: 201, headers: { 'idempotency-replayed': 'true' } });

  it('has a key of its own, the same for each attempt', async () => {
    const { client, asked } = against(broken, made, made);
    expect((await client.createLabel({ name: 'A', color: 'Red' })).isReplay).toBe(true);
    await client.createLabel({ name: 'A', color: 'Red' });
    const [first, again, other] = keysOf(asked);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([again === first, other === first]).toEqual([true, false]);
  });

  it('has the key that is named', async () => {
    const { client, asked } = against(made);
    await client.createLabel({ name: 'A', color: 'Red' }, { idempotencyKey: 'mine' });
    expect(keysOf(asked)).toEqual(['mine']);
  });

  it('waits for its own first attempt, which is still under way', async () => {
    const { client, asked } = against(broken, refusal(409, 'CONFLICT'), made);
    await client.createLabel({ name: 'A', color: 'Red' });
    expect(asked).toHaveLength(3);
  });
});

describe('an id', () => {
  it.each(['', '.', '..', undefined])(
    '%p is refused before anything is asked: it would be another address',
    async (id) => {
      const { client, asked } = against(labels);
      await expect(client.removeLabel({ emailId: id as string, labelId: 'lbl_1' })).rejects.toThrow(TypeError);
      expect(asked).toEqual([]);
    },
  );

  it('of any other kind stays one step of its path', async () => {
    const { client, asked } = against(labels);
    await client.getLabel({ labelId: '../a?b#c%2e' });
    expect(asked[0]?.url).toBe('http://api.example/api/v1/labels/..%2Fa%3Fb%23c%252e');
  });
});

describe('an answer', () => {
  it("that is not the API's is told apart", async () => {
    const { client } = against(() => new Response('<html>', { status: 200 }));
    await expect(client.listLabels()).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER', status: 200 });
  });

  it('brings its limits', async () => {
    const { limits } = await against(labels).client.listLabels();
    expect(limits?.minute).toMatchObject({ limit: 60, resetsAt: new Date(60_000) });
  });
});
