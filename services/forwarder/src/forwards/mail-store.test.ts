import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { autoForwardLogId } from '@postroom/mail-store/auto-forward-log-id';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createForwardDataStore } from './mail-store.ts';
import { createSweepStore } from './sweep-store.ts';
import { withoutLine } from './without-line.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

it('the rules run in the order in which they were made, of one workspace and without those that are off', async () => {
  const { autoForwardRules } = database.collections;
  const made = (_id: string, second: number, isActive = true, workspaceId = 'wsp_1') =>
    ({ _id, workspaceId, isActive, createdAt: new Date(second * 1_000) }) as never;
  await autoForwardRules.collection.insertMany([
    made('third', 3),
    made('first', 1),
    made('off', 0, false),
    made('theirs', 0, true, 'wsp_2'),
    made('second', 2),
  ]);
  const rules = await createForwardDataStore(database.collections).activeRules('wsp_1');
  expect(rules.map(({ _id }) => _id)).toEqual(['first', 'second', 'third']);
});

it('a rule has seen to an email once the log of that rule has a line for it', async () => {
  const _id = autoForwardLogId('wsp_1', 'afr_1', 'eml_1');
  await database.collections.autoForwardLogs.collection.insertOne({ _id, workspaceId: 'wsp_1' } as never);
  const { isLogged } = createForwardDataStore(database.collections);
  const asked = [
    ['wsp_1', 'afr_1', 'eml_1'],
    ['wsp_1', 'afr_2', 'eml_1'],
    ['wsp_1', 'afr_1', 'eml_2'],
    ['wsp_2', 'afr_1', 'eml_1'],
  ] as const;
  expect(
    await Promise.all(asked.map(([workspaceId, ruleId, emailId]) => isLogged(workspaceId, ruleId, emailId))),
  ).toEqual([true, false, false, false]);
});

it('a rule of a label looks at AI labels that live alone, whatever a classification names', async () => {
  const labels = [
    { _id: 'ai', name: 'Bills', isAiLabel: true, deletedAt: null },
    { _id: 'manual', name: 'By hand', isAiLabel: false, deletedAt: null },
    { _id: 'deleted', name: 'Former', isAiLabel: true, deletedAt: new Date() },
  ];
  const stored = labels.map((label) => ({ ...label, workspaceId: 'wsp_1', nameKey: label._id }));
  await database.collections.labels.collection.insertMany(stored as never[]);
  const { aiLabelNames } = createForwardDataStore(database.collections);
  const ids = labels.map(({ _id }) => _id);
  expect(await aiLabelNames('wsp_1', ids)).toEqual(['Bills']);
  expect(await aiLabelNames('wsp_2', ids)).toEqual([]);
});

it('the sweep reads what some workspaces have classified behind a position, by workspace and without backfills', async () => {
  const at = (second: number) => new Date(second * 1_000);
  const said = (_id: string, second: number, parts: object = {}) => ({
    _id,
    workspaceId: 'wsp_s',
    mailboxId: 'mbx',
    verdicts: [{ ruleId: 'r', labelId: 'lbl', applies: true, confidence: 90, reason: 'x' }],
    isBackfill: false,
    createdAt: at(second),
    ...parts,
  });
  const documents = [
    said('b', 2),
    said('a', 2),
    said('first', 1),
    said('backfill', 2, { isBackfill: true }),
    said('theirs', 2, { workspaceId: 'wsp_2' }),
    said('young', 9),
  ];
  await database.collections.classifications.collection.insertMany(documents as never[]);
  const { everyWorkspacesClassified: classified } = createSweepStore(database.collections);
  const idsBehind = async (workspaceIds: string[], _id: string, second: number, limit = 10) =>
    (await classified(workspaceIds, { _id, createdAt: at(second) }, at(9), limit)).map((one) => one._id);
  expect(await idsBehind(['wsp_s'], '', 0)).toEqual(['first', 'a', 'b']);
  expect(await idsBehind(['wsp_s'], 'a', 2)).toEqual(['b']);
  expect(await idsBehind(['wsp_s'], '', 0, 1)).toEqual(['first']);
  expect(await idsBehind(['wsp_s', 'wsp_2', 'wsp_0'], '', 0)).toEqual(['theirs', 'first', 'a', 'b']);
});

it('the sweep reads the active rules of all workspaces, those of each together', async () => {
  const { everyWorkspacesActiveRules } = createSweepStore(database.collections);
  const idsBehind = async (behind: string, limit = 10) =>
    (await everyWorkspacesActiveRules(behind, limit)).map(({ _id }) => _id);
  expect(await idsBehind('')).toEqual(['first', 'second', 'third', 'theirs']);
  expect(await idsBehind('', 2)).toEqual(['first', 'second']);
  expect(await idsBehind('wsp_1')).toEqual(['theirs']);
  expect(await idsBehind('wsp_2')).toEqual([]);
});

it('the sweep tells of many emails at once to which a rule applies without a line in its log', async () => {
  const workspaceId = 'wsp_l';
  const email = (_id: string, subject: string, folderType = 'INBOX') => {
    return { _id, workspaceId, senderAddress: 'a@x.example', subject, folderType, sourceKey: _id, messageKey: _id };
  };
  const emails = [
    email('bill', 'Bill'),
    email('logged', 'Bill'),
    email('trashed', 'Bill', 'TRASH'),
    email('other', 'Lunch'),
    email('labeled', 'Lunch'),
    email('younger rule', 'Bill'),
  ];
  await database.collections.emails.collection.insertMany(emails as never[]);
  const label = { _id: 'lbl_l', workspaceId, name: 'Paid', nameKey: 'paid', isAiLabel: true, deletedAt: null };
  await database.collections.labels.collection.insertOne(label as never);
  const line = { _id: autoForwardLogId(workspaceId, 'afr_s', 'logged'), workspaceId };
  await database.collections.autoForwardLogs.collection.insertOne(line as never);
  const rules = [
    { _id: 'afr_s', conditionField: 'subject_contains', conditionValue: 'bill' },
    { _id: 'afr_l', conditionField: 'label', conditionValue: 'paid' },
  ] as AutoForwardRuleDocument[];
  const sweptIn = (workspace: string) =>
    emails.map(({ _id: emailId }) => ({
      workspaceId: workspace,
      emailId,
      labelIds: emailId === 'labeled' ? ['lbl_l'] : [],
      rules: emailId === 'younger rule' ? [] : rules,
    }));
  const store = createSweepStore(database.collections);
  expect(await withoutLine(store, sweptIn(workspaceId))).toEqual(new Set(['bill', 'labeled']));
  expect(await withoutLine(store, sweptIn('wsp_2'))).toEqual(new Set());
  const bill = { workspaceId, emailId: 'bill', labelIds: [], rules };
  const foreign = { workspaceId: 'wsp_2', emailId: 'labeled', labelIds: ['lbl_l'], rules };
  expect(await withoutLine(store, [bill, foreign])).toEqual(new Set(['bill']));
});
