import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { FilterField, FilterOperator } from '@postroom/contract/filter-fields';
import { compileFilters } from '@postroom/mail-store/filter-tree/compile';
import { NEWEST_FIRST } from '@postroom/mail-store/indexes';
import { every, none, type Query } from '@postroom/mail-store/filter-tree/query';
import { hidingQueries } from '../../services/mailbox-read/src/listing/inbox-hiding.ts';
import { searchTiers } from '../../services/mailbox-read/src/listing/search-tiers.ts';
import { wordsQuery } from '../../services/mailbox-read/src/listing/words-query.ts';
import { pageQuery } from '../../services/mailbox-read/src/pages/page-store.ts';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { emailDocument } from '../support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';

const whenExplained = whenDatabaseHas('explain');
const COUNT = 2_000;
const LIMIT = 50;
const DAY = 86_400_000;
const start = Date.parse('2025-01-01T00:00:00Z');
const now = new Date(start + 400 * DAY);
const context = { now, labelIds: ['lbl_rare', 'lbl_often'], aiLabelIds: ['lbl_rare'] };

interface Execution {
  executionStats: { totalDocsExamined: number; nReturned: number };
  queryPlanner: { winningPlan: object };
}

const filtered = (label: FilterField, type: FilterOperator, value = '') =>
  compileFilters({ id: 'c', label, type, value }, context);
const [headTier, textTier] = searchTiers(['common']) as [Query, Query];

/** Each must look at no document that it does not show, but the one that tells of another page. */
const exact: Record<string, Query> = {
  everything: {},
  'one folder': { folderType: 'INBOX' },
  'a folder that holds little': { folderType: 'SPAM' },
  'one mailbox': { mailboxId: 'mbx_1' },
  'one folder of one mailbox': { mailboxId: 'mbx_1', folderType: 'SENT' },
  'an unknown mailbox': { mailboxId: 'mbx_never' },
  'label contains': filtered('label', 'contains', 'lbl_rare'),
  'label is_not_empty': filtered('label', 'is_not_empty'),
  'ai_label contains': filtered('ai_label', 'contains', 'lbl_rare'),
  'from equals': filtered('from', 'equals', 'Rare@one.example'),
  'sender_domain equals': filtered('sender_domain', 'equals', 'two.example'),
  'read_status is_false': filtered('read_status', 'is_false'),
  'star_status is_true': filtered('star_status', 'is_true'),
  'has_attachments is_true': filtered('has_attachments', 'is_true'),
  'waiting_for_reply is_true': filtered('waiting_for_reply', 'is_true'),
  'is_auto_reply is_true': filtered('is_auto_reply', 'is_true'),
  'is_auto_forward is_true': filtered('is_auto_forward', 'is_true'),
  'folder equals': filtered('folder', 'equals', 'SPAM'),
  'date before': filtered('date', 'before', '2025-02-01'),
  'date on': filtered('date', 'on', '2025-06-01'),
  'date in_last_days': filtered('date', 'in_last_days', '90'),
  'one keyword': wordsQuery(['common']),
  'first tier of a search': headTier,
  'second tier of a search': textTier,
};

/** These check what they find: how much depends on how seldom it fits, and time is their bound. */
const bounded: Record<string, Query> = {
  'the plain INBOX with filters': every([
    { folderType: 'INBOX' },
    none(
      hidingQueries({ filters: [{ type: 'domain', value: 'two.example' }], hidingLabelIds: [], livingLabelIds: [] }),
    ),
  ]),
  'subject contains': filtered('subject', 'contains', 'common'),
  'read_status is_true': filtered('read_status', 'is_true'),
  'several keywords': wordsQuery(['common', 'subject']),
};

function email(n: number) {
  return emailDocument({
    date: new Date(start + (n * 400 * DAY) / COUNT),
    mailboxId: `mbx_${n % 3}`,
    folderType: n % 100 === 0 ? 'SPAM' : n % 4 === 0 ? 'SENT' : 'INBOX',
    from: { email: n % 40 === 0 ? 'rare@one.example' : `p${n % 7}@${n % 5 === 0 ? 'two' : 'one'}.example`, name: null },
    subject: n % 2 === 0 ? `common subject ${n}` : `${n}`,
    text: n % 2 === 0 ? '' : 'a common text',
    labelIds: n % 50 === 0 ? ['lbl_rare'] : n % 3 === 0 ? ['lbl_often'] : [],
    isRead: n % 20 !== 0,
    isStarred: n % 30 === 0,
    hasAttachments: n % 25 === 0,
    waitingForReply: n % 60 === 0,
    isAutoReply: n % 70 === 0,
    isAutoForward: n % 80 === 0,
  });
}

describe('the plan of a page', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    const documents = Array.from({ length: COUNT }, (_, n) => email(n));
    // Another workspace in between, so that an index without the workspace would be seen.
    documents.push(
      ...documents
        .slice(0, 500)
        .map((one, n) => ({ ...one, _id: `x${n}`, sourceKey: `x${n}`, messageKey: `x${n}`, workspaceId: 'wsp_x' })),
    );
    await database.collections.emails.collection.insertMany(documents as never[]);
  }, 60_000);
  afterAll(() => database.close());

  const explain = async (query: Query, after: { date: Date; id: string } | null) =>
    (await database.collections.emails.collection
      .find(pageQuery('wsp_test', query, { after }))
      .sort(NEWEST_FIRST)
      .limit(LIMIT + 1)
      .explain('executionStats')) as unknown as Execution;

  /** Where the page begins that stands in the middle of all there is. */
  async function middleOf(query: Query) {
    const cursor = database.collections.emails.collection
      .find(pageQuery('wsp_test', query, { after: null }))
      .sort(NEWEST_FIRST);
    const all = await cursor.project<{ _id: string; date: Date }>({ date: 1 }).toArray();
    const middle = all[Math.floor(all.length / 2)];
    return middle ? { date: middle.date, id: middle._id } : null;
  }

  whenExplained.each(Object.entries(exact))('examines no document in vain: %s', async (_name, query) => {
    for (const after of [null, await middleOf(query)]) {
      const { executionStats, queryPlanner } = await explain(query, after);
      expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(Math.max(1, executionStats.nReturned));
      expect(JSON.stringify(queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"SORT"/);
    }
  });

  whenExplained.each(Object.entries(bounded))(
    'comes in order from an index and stops when the page is full: %s',
    async (_name, query) => {
      for (const after of [null, await middleOf(query)]) {
        const { executionStats, queryPlanner } = await explain(query, after);
        expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(LIMIT * 4);
        expect(JSON.stringify(queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"SORT"/);
      }
    },
  );
});
