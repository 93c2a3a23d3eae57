import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { compileFilters } from '@postroom/mail-store/filter-tree/compile';
import { NEWEST_FIRST } from '@postroom/mail-store/indexes';
import { every, none, some, type Query } from '@postroom/mail-store/filter-tree/query';
import { hidingQueries } from '../../services/mailbox-read/src/listing/inbox-hiding.ts';
import { searchTiers } from '../../services/mailbox-read/src/listing/search-tiers.ts';
import { wordsQuery } from '../../services/mailbox-read/src/listing/words-query.ts';
import type { Call } from '@postroom/rpc/call';
import { freshEffort, scanPages } from '../../services/mailbox-read/src/pages/scan-pages.ts';
import { createPageStore, pageQuery, type PageStore } from '../../services/mailbox-read/src/pages/page-store.ts';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { emailDocument } from '../support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';

const whenExplained = whenDatabaseHas('explain');
const SIZES = { wsp_small: 10_000, wsp_large: process.env['POSTROOM_FULL'] ? 100_000 : 40_000 };
const BATCH = 10_000;
const COUNT = 51;
const MOST_EXAMINED = 1_000;
const MOST_TEXT_SEARCHES = 250_000;
/** The text of an email counts for ten subjects. */
const textSearchesIn = (query: Query) => {
  const timesOf = (piece: string) => JSON.stringify(query).split(piece).length - 1;
  return timesOf('$indexOfCP') + 9 * timesOf('"$folded.text"');
};
/** To find where a stretch ends, by keys alone where a server can, and by each index that leads. */
const MOST_PASSED = 5 * MOST_EXAMINED;
const start = Date.parse('2025-01-01T00:00:00Z');

const hiding = (filters: Parameters<typeof hidingQueries>[0]['filters']) =>
  hidingQueries({ filters, hidingLabelIds: [], livingLabelIds: [] });
const rareSubject = hiding([{ type: 'subject', value: 'seldom' }]);
const subjects = Array.from({ length: 900 }, (_, n) => ({ type: 'subject' as const, value: `nobody writes ${n}` }));
const context = { now: new Date(), labelIds: [], aiLabelIds: [] };
const contains = (label: 'subject' | 'body', value: string) => ({ id: 'c', label, type: 'contains' as const, value });
const tree = compileFilters(contains('subject', 'seldom'), context);
const texts = Array.from({ length: 50 }, (_, n) => contains('body', `nobody writes ${n}`));
const [headTier, textTier] = searchTiers(['common', 'often']) as [Query, Query];

/** Queries with almost no matches, which no index can find. */
const rare: Record<string, Query> = {
  'filtered=only with a rare subject': every([{ folderType: 'INBOX' }, some(rareSubject)]),
  'filtered=only with 900 subjects': every([{ folderType: 'INBOX' }, some(hiding(subjects))]),
  'two common words that never meet': headTier,
  'two common words that never meet, in the text': textTier,
  'keywords that never meet': wordsQuery(['common', 'often']),
  'a common word in a folder without it': every([wordsQuery(['common']), { folderType: 'SPAM' }]),
  'a rare subject in a filter tree': tree,
  'fifty texts in a filter tree': compileFilters({ id: 'g', _or: texts }, context),
  'a sender that is common elsewhere': every([{ folderType: 'SPAM' }, { senderDomain: 'one.example' }]),
};

/** Queries whose matches an index finds soon, even when they are old. */
const soon: Record<string, Query> = {
  'a rare word with a common one': wordsQuery(['common', 'lonely']),
  'filtered=only with a rare sender': every([
    { folderType: 'INBOX' },
    some(
      hiding([
        { type: 'sender', value: 'rare@two.example' },
        { type: 'domain', value: 'nowhere.example' },
      ]),
    ),
  ]),
  'the INBOX without a rare subject': every([{ folderType: 'INBOX' }, none(rareSubject)]),
};

const template = emailDocument();

/** The oldest email alone has what is rare. */
function email(workspaceId: string, n: number) {
  const id = `${workspaceId}_${n}`;
  const isOldest = n === 0;
  const isSpam = n % 50 === 1;
  const word = isSpam ? 'h:spam' : n % 2 === 0 ? 'h:common' : 'h:often';
  const senderDomain = isOldest ? 'two.example' : isSpam ? 'spam.example' : 'one.example';
  return {
    ...template,
    _id: id,
    workspaceId,
    sourceKey: id,
    messageKey: id,
    messageId: id,
    date: new Date(start + n * 60_000),
    folderType: isSpam ? 'SPAM' : 'INBOX',
    senderAddress: `${isOldest ? 'rare' : `p${n % 7}`}@${senderDomain}`,
    senderDomain,
    words: isOldest ? [word, 'h:lonely'] : [word],
    folded: { ...template.folded, subject: isOldest ? '\nseldom seen\n' : `\nsubject ${n}\n` },
  };
}

describe('the effort of one call', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    for (const [workspaceId, size] of Object.entries(SIZES)) {
      for (let from = 0; from < size; from += BATCH) {
        const batch = Array.from({ length: BATCH }, (_, n) => email(workspaceId, from + n));
        await database.collections.emails.collection.insertMany(batch as never[]);
      }
    }
  });
  afterAll(() => database.close());

  /** The real store. It also counts the documents that the database examines for each query. */
  function explained(): PageStore & { examined(): number; passed(): number } {
    const real = createPageStore(database.collections);
    let [examined, passed] = [0, 0];
    const explain = async (query: Query, skip: number, limit: number) => {
      const { executionStats } = (await database.collections.emails.collection
        .find(query, { sort: NEWEST_FIRST, skip, limit })
        .explain('executionStats')) as unknown as { executionStats: { totalDocsExamined: number } };
      return executionStats.totalDocsExamined;
    };
    return {
      examined: () => examined,
      passed: () => passed,
      newest: async (workspaceId, query, stretch, count, call) => {
        examined += await explain(pageQuery(workspaceId, query, stretch), 0, count);
        return real.newest(workspaceId, query, stretch, count, call);
      },
      positionAfter: async (workspaceId, query, after, count, call) => {
        passed += await explain(pageQuery(workspaceId, query, { after }), count - 1, 1);
        return real.positionAfter(workspaceId, query, after, count, call);
      },
    };
  }

  async function oneCall(workspaceId: string, query: Query) {
    const call = { workspaceId, remainingMs: () => 60_000, signal: new AbortController().signal } as Call;
    const pages = explained();
    const found = await scanPages(query, null, COUNT, freshEffort(), pages, call);
    return { ...found, examined: pages.examined(), passed: pages.passed() };
  }

  whenExplained.each(Object.entries(rare))('is bounded and no larger in a large mailbox: %s', async (_name, query) => {
    for (const workspaceId of Object.keys(SIZES)) {
      const { items, examined, passed } = await oneCall(workspaceId, query);
      expect(items).toHaveLength(0);
      expect(examined).toBeLessThanOrEqual(MOST_EXAMINED);
      expect(examined * textSearchesIn(query)).toBeLessThanOrEqual(MOST_TEXT_SEARCHES);
      expect(passed).toBeLessThanOrEqual(MOST_PASSED);
    }
  });

  whenExplained.each(['two common words that never meet', 'keywords that never meet'])(
    'passes only the keys of the words themselves: %s',
    async (name) => {
      const { stoppedAt, passed } = await oneCall('wsp_small', rare[name] as Query);
      expect(stoppedAt).toBeDefined();
      expect(passed).toBeLessThanOrEqual(2 * MOST_EXAMINED);
    },
  );

  whenExplained.each(Object.entries(soon))('is small where an index leads to it: %s', async (_name, query) => {
    for (const workspaceId of Object.keys(SIZES)) {
      const { items, stoppedAt, examined, passed } = await oneCall(workspaceId, query);
      expect(items.length).toBeGreaterThan(0);
      expect(stoppedAt).toBeUndefined();
      expect(examined + passed).toBeLessThanOrEqual(COUNT * 20);
    }
  });
});
