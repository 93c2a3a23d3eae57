import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Collections } from '@postroom/mail-store/collections';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { type FeedStore, createFeedStore } from './change-store.ts';
import { createHandlers } from '../handlers.ts';
import { trimOnce } from '../trimming/trim.ts';

const context = createServiceContext({ name: 'test', logLevel: 'silent' });
const clock = manualClock();
let collections: Collections;
let changes: FeedStore;
const call = (workspaceId: string) => ({ workspaceId, remainingMs: () => 5_000 }) as unknown as Call;
const open = () => new AbortController().signal;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  const store = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  await migrate(store.connection, context);
  ({ collections } = store);
  changes = createFeedStore(collections);
});
beforeEach(async () => void (await collections.changes.deleteMany({})));
afterAll(() => context.lifecycle.close());

const add = async (workspaceId: string, count: number) => {
  const head = await changes.head(workspaceId);
  const documents = Array.from({ length: count }, (_, n) => ({
    _id: `evt_${workspaceId}_${head + 1 + n}`,
    seq: head + 1 + n,
    event: 'draft.sent',
    data: { n },
    aspects: [],
    createdAt: clock.date(),
    appendedAt: clock.date(),
  }));
  return changes.append(workspaceId, documents);
};
const handlers = () =>
  createHandlers({ changes, changeWaiters: { wait: () => ({ over: Promise.resolve(), end: () => undefined }) } });
const list = (workspaceId: string, cursor?: string, limit = 100) =>
  handlers().listChanges(
    { since: cursor === undefined ? undefined : { $case: 'cursor', value: cursor }, limit },
    call(workspaceId),
  );

it('appends up to the first number or id that is taken', async () => {
  expect(await add('wsp_1', 3)).toBe(true);
  const [document] = await changes.page('wsp_1', 2, 1, call('wsp_1'));
  const next = { ...document, seq: 4 } as NonNullable<typeof document>;
  expect(
    await changes.append('wsp_1', [{ ...next, _id: 'evt_new' }, next, { ...next, _id: 'evt_later', seq: 5 }]),
  ).toBe(false);
  expect(await changes.head('wsp_1')).toBe(4);
});

it('pages through the feed by cursors of its workspace alone, the same on every reading', async () => {
  await add('wsp_1', 5);
  await add('wsp_2', 1);
  const first = await list('wsp_1', undefined, 2);
  expect([first.changes.map(({ seq }) => seq), first.hasMore]).toEqual([[1, 2], true]);
  const second = await list('wsp_1', first.nextCursor, 10);
  expect([second.changes.map(({ seq }) => seq), second.hasMore]).toEqual([[3, 4, 5], false]);
  expect(await list('wsp_1', first.changes[0]?.cursor, 1)).toMatchObject({ changes: [{ seq: 2 }] });
  expect(await list('wsp_1', second.nextCursor)).toMatchObject({ changes: [], nextCursor: second.nextCursor });
  await expect(list('wsp_2', second.nextCursor)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  for (const strange of ['', '5', 'x'.repeat(22), 'now'])
    await expect(list('wsp_1', strange)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

it('410 CHANGES_EXPIRED after seven days, and the numbers go on after everything is trimmed', async () => {
  await add('wsp_1', 3);
  const { nextCursor: end } = await list('wsp_1');
  const old = (await list('wsp_1', undefined, 1)).nextCursor;
  await clock.advance(7 * DAY_MS + 1_000);
  await trimOnce({ changes, clock }, open());
  await trimOnce({ changes, clock }, open());
  expect(await changes.head('wsp_1')).toBe(3);
  expect(await list('wsp_1', end)).toMatchObject({ changes: [] });
  const refusal = await list('wsp_1', old).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'CHANGES_EXPIRED', details: { currentCursor: end } });
  const { oldestCursor } = (refusal as { details: { oldestCursor: string } }).details;
  await add('wsp_1', 2);
  expect((await list('wsp_1', oldestCursor)).changes.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  await clock.advance(7 * DAY_MS + 1_000);
  await add('wsp_1', 1);
  await trimOnce({ changes, clock }, open());
  expect((await list('wsp_1')).changes.map(({ seq }) => seq)).toEqual([6]);
});

it('trims in batches, each workspace up to its newest change', async () => {
  for (let n = 0; n < 3; n += 1) await add('wsp_1', 400);
  await add('wsp_2', 1);
  await clock.advance(8 * DAY_MS);
  await trimOnce({ changes, clock }, open());
  expect(await collections.changes.countDocuments({})).toBe(2);
});

it('finds the change right behind a position of any workspace', async () => {
  await add('wsp_1', 3);
  await add('wsp_2', 1);
  const next = await changes.everyWorkspacesNext([
    { workspaceId: 'wsp_1', after: 1 },
    { workspaceId: 'wsp_1', after: 3 },
    { workspaceId: 'wsp_2', after: 0 },
    { workspaceId: 'wsp_3', after: 0 },
  ]);
  expect(next.map(({ workspaceId, seq }) => `${workspaceId} ${seq}`).toSorted()).toEqual(['wsp_1 2', 'wsp_2 1']);
});
