import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { emailDocument } from '../../../../test/support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createUnclassifiedStore, type UnclassifiedStore } from './pending-store.ts';

const second = (count: number) => new Date(count * 1_000);
let database: TestDatabase;
let store: UnclassifiedStore;
beforeAll(async () => {
  database = await openTestDatabase();
  store = createUnclassifiedStore(database.collections);
  const waits = (_id: string, workspaceId: string, since: number, classification?: object) =>
    emailDocument({
      _id,
      workspaceId,
      awaitsClassificationSince: second(since),
      ...(classification && { classification }),
    });
  await database.collections.emails.collection.insertMany([
    waits('new', 'wsp_1', 7),
    waits('older', 'wsp_1', 5),
    waits('young', 'wsp_1', 19),
    waits('leased', 'wsp_1', 2, { notBefore: second(30) }),
    waits('again', 'wsp_1', 1, { notBefore: second(10), attempts: 2 }),
    waits('other', 'wsp_3', 3, { notBefore: second(20) }),
    waits('rests', 'wsp_2', 3, { notBefore: second(21) }),
    emailDocument({ _id: 'classified', workspaceId: 'wsp_1' }),
    emailDocument({ _id: 'given up', workspaceId: 'wsp_0', classification: { quarantinedAt: second(1) } }),
  ] as never[]);
}, 60_000);
afterAll(() => database.close());

const by = { now: second(20), cameBefore: second(16) };

it('due are emails that nobody works on: new mail first, then failed emails; an email that just came is left to its event', async () => {
  const ids = async (limit: number) => (await store.due('wsp_1', by, limit)).map(({ emailId }) => emailId);
  expect(await ids(10)).toEqual(['older', 'new', 'again']);
  expect(await ids(1)).toEqual(['older']);
});

it('the workspaces with something due are found one behind the other', async () => {
  expect(await store.everyWorkspacesNext('', by)).toBe('wsp_1');
  expect(await store.everyWorkspacesNext('wsp_1', by)).toBe('wsp_3');
  expect(await store.everyWorkspacesNext('wsp_3', by)).toBeUndefined();
});

it('counts waiting emails to a limit, with the age of the oldest; a quarantined email does not wait', async () => {
  expect(await store.everyWorkspacesWaiting(3)).toEqual({ count: 3, since: second(1) });
  expect((await store.everyWorkspacesWaiting(100)).count).toBe(7);
});
