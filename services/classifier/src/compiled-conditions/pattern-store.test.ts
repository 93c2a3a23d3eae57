import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { PATTERN_KEPT_MS } from '@postroom/mail-store/kept-for';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { LEARNED_FROM } from './learner.ts';
import { automaticEmail } from './memory-patterns.test-support.ts';
import { createPatternStore, type LearnedVerdict } from './pattern-store.ts';
import { patternsOf, patternIdOf } from './patterns.ts';

let database: TestDatabase;
let store: ReturnType<typeof createPatternStore>;
beforeAll(async () => {
  database = await openTestDatabase();
  store = createPatternStore(database.collections);
}, 60_000);
beforeEach(async () => void (await database.collections.conditionPatterns.deleteMany({})));
afterAll(() => database.close());

const NOW = new Date('2026-03-01T12:00:00Z');
const OF_RULE = { ruleId: 'air_1', version: 'v' };
const [one] = patternsOf(automaticEmail());
const facts = one!.facts;
const id = patternIdOf('wsp_1', 'air_1', 'v', facts);
const verdict = (more: Partial<LearnedVerdict> = {}): LearnedVerdict => {
  return { id, ...OF_RULE, facts, list: 'applied', witness: 'w', confidence: 90, ...more };
};
const find = async () => (await store.find('wsp_1', [id]))[0];
const compile = () =>
  store.learn(
    'wsp_1',
    Array.from({ length: LEARNED_FROM }, (_, n) => verdict({ witness: `w${n}` })),
    NOW,
  );

it('a verdict makes its pattern with its facts, and a repeat changes nothing of it', async () => {
  await store.learn('wsp_1', [verdict()], NOW);
  await store.learn('wsp_1', [verdict(), verdict({ confidence: 70 })], NOW);
  const expiresAt = new Date(NOW.getTime() + PATTERN_KEPT_MS);
  const counts = { applied: ['w'], notApplied: [], confidence: 70, answered: 0, unchecked: 0 };
  expect(await find()).toEqual({
    _id: id,
    workspaceId: 'wsp_1',
    ...OF_RULE,
    ...facts,
    ...counts,
    createdAt: NOW,
    updatedAt: NOW,
    expiresAt,
  });
});

it('first verdicts at the same time are all stored', async () => {
  const witnesses = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  await Promise.all(witnesses.map((witness) => store.learn('wsp_1', [verdict({ witness })], NOW)));
  expect((await find())?.applied.toSorted()).toEqual(witnesses);
});

it('a first verdict is stored beside one that another process stored at the same moment', async () => {
  const { conditionPatterns } = database.collections;
  let calls = 0;
  const bulkWrite: typeof conditionPatterns.bulkWrite = async (...asked) => {
    calls += 1;
    if (calls > 1) return conditionPatterns.bulkWrite(...asked);
    await store.learn('wsp_1', [verdict({ witness: 'of another' })], NOW);
    throw Object.assign(new Error('E11000 duplicate key error'), { code: 11_000 });
  };
  const racing = Object.assign(Object.create(conditionPatterns) as typeof conditionPatterns, { bulkWrite });
  await createPatternStore({ conditionPatterns: racing }).learn('wsp_1', [verdict()], NOW);
  expect((await find())?.applied.toSorted()).toEqual(['of another', 'w']);
  const failing = Object.assign(Object.create(conditionPatterns) as typeof conditionPatterns, {
    bulkWrite: () => Promise.reject(new Error('no database')),
  });
  await expect(createPatternStore({ conditionPatterns: failing }).learn('wsp_1', [verdict()], NOW)).rejects.toThrow();
});

it('a claim counts the email, a verdict ends the count, and a dropped pattern has no claims', async () => {
  await compile();
  const read = (await find())!;
  expect(await store.claim('wsp_1', read, NOW)).toMatchObject({ answered: 1, unchecked: 1 });
  expect(await store.claim('wsp_2', read, NOW)).toBeNull();
  await store.learn('wsp_1', [verdict({ witness: undefined })], NOW);
  expect(await find()).toMatchObject({ answered: 1, unchecked: 0 });
  await store.learn('wsp_1', [verdict({ list: 'notApplied' })], NOW);
  expect(await store.claim('wsp_1', read, NOW)).toBeNull();
});

it('a rule has the patterns that answer and those that answered until they were dropped, the busiest first', async () => {
  const others = patternsOf(automaticEmail({ mailboxId: 'mbx_2' })).map((one) => one.facts);
  const idOf = (of: (typeof others)[number]) => patternIdOf('wsp_1', 'air_1', 'v', of);
  const [dropped, learning, mixed] = others.map((one) => verdict({ id: idOf(one), facts: one }));
  await compile();
  await store.learn('wsp_1', [dropped!, learning!, mixed!, { ...mixed!, list: 'notApplied' }], NOW);
  await store.claim('wsp_1', { _id: dropped!.id, applied: ['w'] }, NOW);
  await store.learn('wsp_1', [{ ...dropped!, list: 'notApplied' }], NOW);
  const list = (workspaceId: string, version = 'v') =>
    store.ofRule(workspaceId, { ...OF_RULE, version }, 9, QUERY_BUDGET);
  expect((await list('wsp_1')).map(({ _id }) => _id)).toEqual([dropped!.id, id]);
  expect([await list('wsp_2'), await list('wsp_1', 'other')]).toEqual([[], []]);
});
