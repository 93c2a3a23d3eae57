import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openEventStream } from '../support/event-stream.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let home: TestWorkspace;
let mailboxId: string;

beforeAll(async () => {
  home = await stack.workspace();
  mailboxId = (await home.connectMailbox()).id;
  await ingest(3);
});

const ingest = (count: number) =>
  home.ingest(
    mailboxId,
    Array.from({ length: count }, () => ({ subject: 'Hello' })),
  );
const page = async (query = '') => (await home.read.get(`/changes${query}`)).body;
/** The cursor behind so many changes, once there are as many. */
const cursorBehind = async (count: number): Promise<string> => {
  for (;;) {
    const { items, nextCursor } = await page(`?limit=${count}`);
    if (items.length === count) return nextCursor;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const now = async (): Promise<string> => (await page('?since=now')).nextCursor;
/** Forgets the changes up to this number, as seven days would. */
const expire = (seq: number) => stack.collections.changes.deleteMany({ workspaceId: home.id, seq: { $lte: seq } });

describe('GET /changes', () => {
  it('200 with every change from the oldest on, numbered without a gap, the same on every reading', async () => {
    await cursorBehind(3);
    const all = await page();
    expect(all.items.slice(0, 3).map(({ seq, event }: { seq: number; event: string }) => [seq, event])).toEqual([
      [1, 'email.received'],
      [2, 'email.received'],
      [3, 'email.received'],
    ]);
    expect(all.items[0]).toEqual({
      seq: 1,
      id: expect.stringMatching(/^evt_/),
      event: 'email.received',
      createdAt: expect.any(String),
      data: { emailId: expect.any(String), mailboxId, folderType: 'INBOX' },
    });
    expect((await page()).items.slice(0, 3)).toEqual(all.items.slice(0, 3));
  });

  it('200 page by page by `limit`, each behind the cursor of the one before', async () => {
    const end = await cursorBehind(3);
    const first = await page('?limit=2');
    expect([first.items.length, first.hasMore]).toEqual([2, true]);
    const second = await page(`?since=${first.nextCursor}&limit=1`);
    expect([second.items[0].seq, second.nextCursor]).toEqual([3, end]);
    for (const limit of ['none', '0', '501', '99999'])
      expect((await home.read.get(`/changes?limit=${limit}`)).status).toBe(200);
  });

  it('200 without items at the present end, and with a cursor that is never null', async () => {
    const end = await page('?since=now');
    expect(end).toEqual({ items: [], nextCursor: expect.stringMatching(/^[\w-]+$/), hasMore: false });
    expect((await page(`?since=${end.nextCursor}`)).nextCursor).toBe(end.nextCursor);
  });

  it('200 as soon as there is a change, where `wait` gives it time, and its effect is to be seen then', async () => {
    const since = await now();
    const waiting = home.read.get(`/changes?since=${since}&wait=25`);
    const [emailId] = await ingest(1);
    const { items } = (await waiting).body;
    expect(items.map(({ data }: { data: object }) => data)).toMatchObject([{ emailId }]);
    expect((await home.read.get(`/emails/${emailId}`)).status).toBe(200);
  });

  it('200 without items when `wait` is over, also from the present end', async () => {
    expect((await page('?since=now&wait=1')).items).toEqual([]);
    expect((await page(`?since=${await now()}&wait=0`)).items).toEqual([]);
  });

  it.each(['-1', '26', '1.5', 'soon', '', '1e1'])('400 VALIDATION_FAILED for wait=%s', async (wait) => {
    const { status, body } = await home.read.get(`/changes?wait=${wait}`);
    expect([status, body.code, Object.keys(body.details)]).toEqual([400, 'VALIDATION_FAILED', ['wait']]);
  });

  it('400 VALIDATION_FAILED for a cursor of another workspace, and for one of nobody', async () => {
    const other = await stack.workspace();
    for (const since of [await now(), '', '3', 'x'.repeat(22), 'cursor']) {
      const { status, body } = await other.read.get(`/changes?since=${since}`);
      expect([status, body.code, Object.keys(body.details)]).toEqual([400, 'VALIDATION_FAILED', ['since']]);
    }
  });

  it('410 CHANGES_EXPIRED behind changes that are gone, with the cursors to go on from', async () => {
    const old = await cursorBehind(1);
    await cursorBehind(3);
    await expire(2);
    const { status, body } = await home.read.get(`/changes?since=${old}`);
    expect([status, body.code]).toEqual([410, 'CHANGES_EXPIRED']);
    expect(body.details.currentCursor).toBe(await now());
    expect((await page(`?since=${body.details.oldestCursor}&limit=1`)).items[0].seq).toBe(3);
    expect((await page('?limit=1')).items[0].seq).toBe(3);
  });
});

describe('GET /changes/stream', () => {
  const open: { close(): void }[] = [];
  afterEach(() => open.splice(0).forEach((stream) => stream.close()));
  const stream = async (query = '', headers: Record<string, string> = {}, key = home.keys.read) => {
    const opened = await openEventStream(`${stack.baseUrl}/changes/stream${query}`, {
      authorization: `Bearer ${key}`,
      ...headers,
    });
    open.push(opened);
    return opened;
  };
  const refusal = async (query: string, headers: Record<string, string> = {}) => {
    const refused = await stream(query, headers);
    await refused.ended;
    return { status: refused.status, ...JSON.parse(refused.text()) };
  };

  it('200 with the headers of every answer, and the changes from now on as they come', async () => {
    const { status, headers, until } = await stream();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect([headers.get('x-accel-buffering'), headers.get('cache-control')]).toEqual(['no', 'no-store']);
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit-'))).toHaveLength(6);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    const [emailId] = await ingest(1);
    const [change] = await until(1);
    expect(change).toMatchObject({ event: 'email.received', data: { event: 'email.received', data: { emailId } } });
    expect((await page(`?since=${change?.id}`)).items).toEqual([]);
  });

  it('200 from a cursor on: every change once, in order, as the feed has it, also after it was cut', async () => {
    const since = await now();
    await ingest(3);
    const first = await stream(`?since=${since}`);
    const [, second] = await first.until(2);
    first.close();
    await ingest(2);
    // A browser keeps the address, and names the last event beside it.
    const again = await stream(`?since=${since}`, { 'Last-Event-ID': second?.id ?? '' });
    const events = [...first.events().slice(0, 2), ...(await again.until(3))];
    const { items } = await page(`?since=${since}`);
    expect(events.map(({ data }) => data)).toEqual(items);
    expect(items).toHaveLength(5);
  });

  it('400 VALIDATION_FAILED for a cursor of nobody, by parameter and by header', async () => {
    const expected = { status: 400, code: 'VALIDATION_FAILED' };
    expect(await refusal('?since=nobody')).toMatchObject(expected);
    expect(await refusal('', { 'Last-Event-ID': 'nobody' })).toMatchObject(expected);
  });

  it('410 CHANGES_EXPIRED behind changes that are gone', async () => {
    const oldest = (await page('?limit=1')).items[0].seq as number;
    const old = await cursorBehind(1);
    await expire(oldest + 1);
    const { status, code, details } = await refusal(`?since=${old}`);
    expect([status, code, Object.keys(details)]).toEqual([410, 'CHANGES_EXPIRED', ['oldestCursor', 'currentCursor']]);
  });

  it('429 RATE_LIMIT_EXCEEDED for the eleventh of a workspace, until one of them is closed', async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => stream()));
    expect(ten.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const refused = await stream();
    await refused.ended;
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(JSON.parse(refused.text()).code).toBe('RATE_LIMIT_EXCEEDED');
    ten[0]?.close();
    for (;;) {
      const next = await stream();
      if (next.status === 200) break;
      await next.ended;
    }
  });
});
