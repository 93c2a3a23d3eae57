import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createKeptAnswersStore } from './kept-answers-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

const updatedAt = new Date('2026-01-02T03:04:05Z');
const verdict = { ruleId: 'air_1', labelId: 'lbl_1', applies: true, confidence: 90, reason: 'so' };

it('gives what was kept for an email, without a text where there is none, and nothing of a backfill', async () => {
  const kept = (_id: string, parts: object = {}) => ({
    _id,
    workspaceId: 'wsp_1',
    mailboxId: 'mbx_1',
    verdicts: [{ ...verdict, ruleUpdatedAt: updatedAt }],
    model: 'm',
    isBackfill: false,
    createdAt: new Date(),
    ...parts,
  });
  await database.collections.classifications.collection.insertMany([
    kept('eml_answered', { reply: 'It costs ten.' }),
    kept('eml_labelled'),
    kept('eml_before_its_rules', { isBackfill: true }),
  ] as never[]);
  const { find } = createKeptAnswersStore(database.collections);
  const answers = {
    verdicts: [{ ...verdict, ruleUpdatedAt: updatedAt.toISOString() }],
    model: 'm',
    areKept: true,
  };
  expect(await find('wsp_1', 'eml_answered')).toEqual({ ...answers, reply: 'It costs ten.' });
  expect(await find('wsp_1', 'eml_labelled')).toEqual({ ...answers, reply: undefined });
  expect(await find('wsp_1', 'eml_before_its_rules')).toBeUndefined();
  expect(await find('wsp_2', 'eml_answered')).toBeUndefined();
});
