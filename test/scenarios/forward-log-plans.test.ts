import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { indexes } from '@postroom/mail-store/indexes';
import { createAutoForwardLogStore } from '../../services/label-rule/src/auto-forward/auto-forward-log-store.ts';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';

const whenExplained = whenDatabaseHas('explain');
const LINES = process.env.POSTROOM_FULL ? 1_000_000 : 20_000;
const BATCH = 10_000;
const LIMIT = 200;
const start = Date.parse('2026-01-01T00:00:00Z');
const budget = { remainingMs: () => 10_000 };

/** Nine of ten lines are of the rule that is asked for; the rest of others, and of another workspace. */
function line(n: number) {
  const createdAt = new Date(start + n);
  return {
    _id: `afl_${n}`,
    workspaceId: n % 20 === 1 ? 'wsp_other' : 'wsp_test',
    ruleId: n % 10 === 0 ? 'afr_other' : 'afr_often',
    emailId: `eml_${n}`,
    forwardTo: 'books@far.example',
    mode: 'normal',
    status: 'sent',
    reason: null,
    attempts: 1,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 90 * 86_400_000),
  };
}

interface Options {
  sort?: object;
  limit?: number;
}
interface Plan {
  executionStats: { totalDocsExamined: number; totalKeysExamined: number };
  queryPlanner: { winningPlan: object };
}

describe(`the log of a rule that has forwarded ${LINES} emails`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    for (let done = 0; done < LINES; done += BATCH) {
      const some = Array.from({ length: BATCH }, (_, n) => line(done + n));
      await database.collections.autoForwardLogs.collection.insertMany(some as never[], { ordered: false });
    }
  }, 600_000);
  afterAll(() => database.close());

  whenExplained('shows its newest lines, and looks at no other', async () => {
    const asked: [object, Options][] = [];
    database.connection.set('debug', (_name: string, _method: string, filter: object, options: Options) => {
      asked.push([filter, options]);
    });
    const store = createAutoForwardLogStore(database.collections);
    const items = await store.list('wsp_test', 'afr_often', LIMIT, budget);
    const newest = Array.from({ length: LINES }, (_, n) => line(LINES - 1 - n))
      .filter(({ workspaceId, ruleId }) => workspaceId === 'wsp_test' && ruleId === 'afr_often')
      .slice(0, LIMIT);
    expect(items.map(({ _id }) => _id)).toEqual(newest.map(({ _id }) => _id));

    database.connection.set('debug', false);
    const [[filter, { sort = {}, limit = 0 }] = [{}, {}], ...more] = asked;
    expect([limit, more]).toEqual([LIMIT, []]);
    const plan = (await database.collections.autoForwardLogs.collection
      .find(filter)
      .sort(sort as never)
      .limit(limit)
      .explain('executionStats')) as unknown as Plan;
    const { totalDocsExamined, totalKeysExamined } = plan.executionStats;
    expect([totalDocsExamined, totalKeysExamined <= LIMIT + 1]).toEqual([LIMIT, true]);
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"SORT"/);
  });

  whenExplained('forgets each line after ninety days, by the database itself', async () => {
    const kept = await database.collections.autoForwardLogs.collection.indexes();
    expect(kept.find(({ name }) => name === 'expiry')).toMatchObject({ key: { expiresAt: 1 }, expireAfterSeconds: 0 });
    expect(indexes.autoForwardLogs.some(({ name, expires }) => name === 'expiry' && expires)).toBe(true);
  });
});
