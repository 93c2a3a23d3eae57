import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import {
  FILTER_FIELDS,
  filterOperators,
  type FilterField,
  type FilterOperator,
} from '@postroom/contract/filter-fields';
import { FOLDER_TYPES } from '@postroom/contract/lists';
import { compileFilters } from '@postroom/mail-store/filter-tree/compile';
import { parseFilters } from '@postroom/mail-store/filter-tree/parse';
import { flatten } from '@postroom/mail-store/filter-tree/query';
import type { FilterNode, FilterTree } from '@postroom/mail-store/filter-tree/tree';
import fc from 'fast-check';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { emailDocument } from '../support/email-document.ts';
import { matchesFilters } from '../support/filter-oracle.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';

const now = new Date('2026-03-01T12:00:00Z');
// The label "dead" stands on emails and is no label any more.
const context = { now, labelIds: ['lbl_a', 'lbl_b', 'ai_a'], aiLabelIds: ['ai_a'] };
const texts = [
  'Invoice',
  'invoice 7',
  'Café',
  'cafe',
  '$regex',
  '.*',
  'Привет',
  '請求書',
  '🎉 party',
  'a\nb',
  '',
  ' ',
  'o',
];
const addresses = ['ann@one.example', 'Ann@One.example', 'bob@two.example', '$ann@one.example', 'ann'];
const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00.001+01:00'];

const text = fc.oneof(fc.constantFrom(...texts, ...addresses), fc.string({ maxLength: 3 }));
const person = fc.record({
  email: fc.constantFrom(...addresses),
  name: fc.option(fc.constantFrom(...texts, ...addresses)),
});
const email: fc.Arbitrary<EmailDocument> = fc
  .record({
    from: person,
    to: fc.array(person, { maxLength: 2 }),
    cc: fc.array(person, { maxLength: 2 }),
    subject: text,
    text,
    date: fc.constantFrom(...days).map((day) => new Date(day)),
    folderType: fc.constantFrom(...FOLDER_TYPES),
    labelIds: fc.subarray(['lbl_a', 'lbl_b', 'ai_a', 'dead']),
    isRead: fc.boolean(),
    isStarred: fc.boolean(),
    hasAttachments: fc.boolean(),
    waitingForReply: fc.boolean(),
    isAutoReply: fc.boolean(),
    isAutoForward: fc.boolean(),
  })
  .map(emailDocument);

const values: Record<string, fc.Arbitrary<string>> = {
  sender_domain: fc.constantFrom('one.example', '@ONE.example', 'two.example'),
  folder: fc.constantFrom(...FOLDER_TYPES),
};
const valueOf = (label: string, operator: string): fc.Arbitrary<string> => {
  if (operator.startsWith('is_')) return fc.constant('');
  if (operator === 'in_last_days') return fc.constantFrom('1', '2', '3', '400');
  if (label === 'date') return fc.constantFrom(...days);
  if (label.endsWith('label')) return fc.constantFrom('lbl_a', 'ai_a', 'dead', 'never');
  return values[label] ?? text;
};
const condition = fc
  .constantFrom(...FILTER_FIELDS.flatMap((label) => filterOperators[label].map((type) => ({ label, type }))))
  .chain(({ label, type }) => valueOf(label, type).map((value) => ({ id: 'c', label, type, value })));
const node: fc.Arbitrary<FilterNode> = fc.letrec<{ node: FilterNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    condition,
    fc.record({ id: fc.constant('g'), _and: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record({ id: fc.constant('g'), _or: fc.array(tie('node'), { maxLength: 3 }) }),
  ),
})).node;

describe('the two readings of a filter tree', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  async function idsByQuery(tree: FilterTree): Promise<string[]> {
    const query = flatten([{ workspaceId: 'wsp_test' }, compileFilters(tree, context)]);
    const found = await database.collections.emails.collection.find(query, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => String(_id)).sort();
  }
  const idsInMemory = (tree: FilterTree, emails: EmailDocument[]) =>
    emails
      .filter((candidate) => matchesFilters(tree, candidate, context))
      .map(({ _id }) => _id)
      .sort();

  whenDatabaseHas('expressions')(
    'agree on every operator alone and on any tree of them',
    async () => {
      const emails = fc.sample(email, { numRuns: 120, seed: 5 });
      await database.collections.emails.collection.insertMany(emails as never[]);
      await fc.assert(
        fc.asyncProperty(node, async (tree) => {
          const parsed = parseFilters(JSON.stringify(tree));
          expect(await idsByQuery(parsed)).toEqual(idsInMemory(parsed, emails));
        }),
        { numRuns: 250 },
      );
    },
    60_000,
  );

  it('find exactly what an operator promises', () => {
    const matches = (
      label: FilterField,
      type: FilterOperator,
      value: string,
      parts: Parameters<typeof emailDocument>[0],
    ) => matchesFilters({ id: 'c', label, type, value }, emailDocument(parts), context);
    expect(matches('subject', 'contains', 'ÉCOLE', { subject: "L'école" })).toBe(true);
    expect(matches('subject', 'equals', 'hello world', { subject: 'Hello  World' })).toBe(true);
    expect(matches('subject', 'starts_with', 'world', { subject: 'Hello World' })).toBe(false);
    expect(matches('subject', 'contains', '.*', { subject: 'Hello' })).toBe(false);
    expect(matches('from', 'equals', 'ANN@sender.example', {})).toBe(true);
    expect(matches('from', 'equals', 'ann sender', {})).toBe(true);
    expect(
      matches('from', 'equals', 'ann@sender.example', { from: { email: 'x@y.z', name: 'ann@sender.example' } }),
    ).toBe(false);
    expect(matches('to', 'ends_with', '@example.com', {})).toBe(true);
    expect(matches('any_text', 'not_contains', 'needle', { text: 'hay needle hay' })).toBe(false);
    expect(matches('date', 'after', '2026-02-28', { date: new Date('2026-02-28T23:59:59Z') })).toBe(false);
    expect(matches('date', 'on', '2026-02-28', { date: new Date('2026-02-28T23:59:59Z') })).toBe(true);
    expect(matches('date', 'in_last_days', '1', { date: new Date('2026-02-28T12:00:00Z') })).toBe(true);
    expect(matches('ai_label', 'is_empty', '', { labelIds: ['lbl_a', 'dead'] })).toBe(true);
    expect(matches('label', 'contains', 'dead', { labelIds: ['dead'] })).toBe(false);
  });
});
