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
  const rules = await createRuleStore(database.collections).list('wsp_1');
  expect(rules.map(({ labelId }) => labelId)).toEqual(['first', 'second']);
});
