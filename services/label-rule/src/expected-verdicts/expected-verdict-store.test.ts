import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createExpectedVerdictStore } from './expected-verdict-store.ts';

const BUDGET = { remainingMs: () => 5_000 };
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

it('keeps one verdict for each email, never more than the bound, whichever calls run at the same time', async () => {
  const { aiLabelRules, labels } = database.collections;
  const store = createExpectedVerdictStore(database.collections);
  // As an earlier version has stored it, without a set.
  const rule = { _id: 'air_1', workspaceId: 'wsp_1', labelId: 'lbl_1', condition: 'x', createdAt: new Date() };
  await aiLabelRules.collection.insertOne(rule as never);
  await labels.collection.insertOne({ _id: 'lbl_1', workspaceId: 'wsp_1', nameKey: 'x', deletedAt: null } as never);
  expect(await store.ofRule('wsp_1', 'air_1', BUDGET)).toEqual([]);
  expect(await store.ofRule('wsp_2', 'air_1', BUDGET)).toBeUndefined();
  const add = (emailId: string, applies = true) => store.add('wsp_1', 'air_1', { emailId, applies }, 3, BUDGET);
  expect(await store.change('wsp_1', 'air_1', { emailId: 'eml_1', applies: true }, BUDGET)).toBe(false);
  const added = await Promise.all(['eml_1', 'eml_1', 'eml_2', 'eml_3', 'eml_4', 'eml_5'].map((id) => add(id)));
  expect(added.filter(Boolean)).toHaveLength(3);
  const kept = (await store.ofRule('wsp_1', 'air_1', BUDGET)) ?? [];
  expect(new Set(kept.map(({ emailId }) => emailId)).size).toBe(3);
  const [first = { emailId: '' }] = kept;
  expect(await store.change('wsp_1', 'air_1', { emailId: first.emailId, applies: false }, BUDGET)).toBe(true);
  expect(await store.change('wsp_2', 'air_1', { emailId: first.emailId, applies: true }, BUDGET)).toBe(false);
  expect((await store.ofRule('wsp_1', 'air_1', BUDGET))?.[0]).toEqual({ emailId: first.emailId, applies: false });
  await store.remove('wsp_1', 'air_1', first.emailId, BUDGET);
  expect(await store.ofRule('wsp_1', 'air_1', BUDGET)).toHaveLength(2);
  await labels.collection.updateOne({ _id: 'lbl_1' as never }, { $set: { deletedAt: new Date() } });
  expect(await store.ofRule('wsp_1', 'air_1', BUDGET)).toBeUndefined();
});
