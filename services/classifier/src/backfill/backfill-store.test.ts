import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { type RunnableBackfillStore, createRunnableBackfillStore } from './backfill-store.ts';

const second = (count: number) => new Date(count * 1_000);
const now = second(20);
let database: TestDatabase;
let store: RunnableBackfillStore;
beforeAll(async () => {
  database = await openTestDatabase();
  store = createRunnableBackfillStore(database.collections);
  const job = (_id: string, workspaceId: string, state: string, createdAt: number, more: object = {}) => {
    const [created, position] = [second(createdAt), { afterDate: null, afterId: null, cause: null }];
    const about = { _id, workspaceId, mailboxId: 'mbx', limit: 5, done: 0, total: 0, ...position };
    return { ...about, state, createdAt: created, updatedAt: created, ...more };
  };
  await database.collections.backfillJobs.collection.insertMany([
    job('completed', 'wsp_0', 'completed', 1),
    job('leased', 'wsp_1', 'running', 2, { notBefore: second(21) }),
    job('queued', 'wsp_1', 'queued', 5),
    job('given back', 'wsp_1', 'running', 4, { notBefore: now }),
    job('pauses', 'wsp_2', 'running', 3, { notBefore: second(30) }),
    job('other', 'wsp_3', 'queued', 1),
  ] as never[]);
}, 60_000);
afterAll(() => database.close());

it('the oldest backfill of a workspace is due, if nobody works on it', async () => {
  expect((await store.due('wsp_1', now))?._id).toBe('given back');
  expect((await store.due('wsp_1', second(3)))?._id).toBe('queued');
  expect(await store.due('wsp_2', now)).toBeNull();
  expect(await store.due('wsp_0', now)).toBeNull();
});

it('the workspaces with something due are found one behind the other', async () => {
  expect(await store.everyWorkspacesNext('', now)).toBe('wsp_1');
  expect(await store.everyWorkspacesNext('wsp_1', now)).toBe('wsp_3');
  expect(await store.everyWorkspacesNext('wsp_3', now)).toBeUndefined();
});
