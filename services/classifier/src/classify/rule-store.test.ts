import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createRuleStore } from './rule-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

it('the rules are asked in the order in which they were made, and none whose label is deleted, or gone', async () => {
  const { labels, aiLabelRules } = database.collections;
  const label = (_id: string, deletedAt: Date | null) => ({ _id, workspaceId: 'wsp_1', nameKey: _id, deletedAt });
  const lives = ['second', 'first', 'theirs'].map((_id) => label(_id, null));
  await labels.collection.insertMany([...lives, label('deleted', new Date())] as never[]);
  const rule = (labelId: string, at: number, workspaceId = 'wsp_1') =>
    ({ _id: `air_${labelId}`, workspaceId, labelId, condition: labelId, createdAt: new Date(at) }) as never;
  await aiLabelRules.collection.insertMany([
    rule('second', 2),
    rule('deleted', 0),
    rule('gone', 0),
    rule('theirs', 0, 'wsp_2'),
    rule('first', 1),
  ]);
  const store = createRuleStore(database.collections);
  const rules = await store.list('wsp_1');
  expect(rules.map(({ labelId }) => labelId)).toEqual(['first', 'second']);

  // Another process deletes the label, and then its rule.
  await labels.collection.updateOne({ _id: 'first' as never }, { $set: { deletedAt: new Date() } });
  expect((await store.living('wsp_1', rules)).map(({ labelId }) => labelId)).toEqual(['second']);
  expect(await store.living('wsp_2', rules)).toEqual([]);
  await aiLabelRules.collection.deleteOne({ _id: 'air_first' as never });
  await aiLabelRules.collection.deleteMany({ _id: { $in: ['air_deleted', 'air_gone'] as never[] } });
  expect((await store.list('wsp_1')).map(({ labelId }) => labelId)).toEqual(['second']);
});
