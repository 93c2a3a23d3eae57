import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PATTERN_KEPT_MS } from '@postroom/mail-store/kept-for';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { LEARNED_FROM } from './learner.ts';
import { automaticEmail } from './memory-patterns.test-support.ts';
import { createPatternStore, type LearnedVerdict, MOST_PATTERNS } from './pattern-store.ts';
import { patternsOf, patternIdOf } from './patterns.ts';

let database: TestDatabase;
let store: ReturnType<typeof createPatternStore>;
beforeAll(async () => {
  database = await openTestDatabase();
  store = createPatternStore(database.collections);
}, 60_000);
beforeEach(async () => void (await database.collections.conditionPatterns.deleteMany({})));
afterAll(() => database.close());

const NOW = new Date('2126-03-01T12:00:00Z');
const OF_RULE = { ruleId: 'air_1', version: 'v' };
const [one] = patternsOf(automaticEmail());
const facts = one!.facts;
const id = patternIdOf('wsp_1', 'air_1', 'v', facts);
const verdict = (more: Partial<LearnedVerdict> = {}): LearnedVerdict => {
  return { id, ...OF_RULE, facts, list: 'applied', witness: 'w', confidence: 90, isNew: true, ...more };
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

describe('the patterns of a rule', () => {
  const MOST = 10;
  /** A store with room for few, and the calls that it makes of the database. */
  const smallStore = () => {
    const { conditionPatterns } = database.collections;
    const calls: string[] = [];
    const counted = new Proxy(conditionPatterns, {
      get: (target, name: keyof typeof conditionPatterns) => {
        if (name === 'find' || name === 'bulkWrite') calls.push(name);
        return target[name];
      },
    });
    return { small: createPatternStore({ conditionPatterns: counted }, MOST), calls };
  };
  const named = (name: string, more: Partial<LearnedVerdict> = {}) => verdict({ id: `pat_${name}`, ...more });
  const at = (minute: number) => new Date(NOW.getTime() + minute * 60_000);
  const idsOf = async (ruleId = 'air_1') => {
    const found = await database.collections.conditionPatterns.find({ workspaceId: 'wsp_1', ruleId }).lean();
    return found.map(({ _id }) => _id.slice(4)).sort();
  };

  it('are so many at most that those which were not used for longest make room, in one write', async () => {
    const { small, calls } = smallStore();
    for (let n = 0; n < MOST; n += 1) await small.learn('wsp_1', [named(`${n}`)], at(n));
    await small.claim('wsp_1', { _id: 'pat_0', applied: ['w'] }, at(50));
    calls.length = 0;
    await small.learn('wsp_1', [named('a'), named('b'), named('1', { isNew: false })], at(60));
    expect(calls).toEqual(['find', 'bulkWrite']);
    expect(await idsOf()).toEqual(['0', '1', '4', '5', '6', '7', '8', '9', 'a', 'b']);
  });

  it('make room for those of another condition of the same rule, and for those of no other rule', async () => {
    const { small } = smallStore();
    await small.learn('wsp_1', [named('other', { ruleId: 'air_2' })], NOW);
    for (let n = 0; n < MOST; n += 1) await small.learn('wsp_1', [named(`${n}`)], at(n));
    for (let n = 0; n < MOST; n += 1) await small.learn('wsp_1', [named(`new${n}`, { version: 'v2' })], at(100 + n));
    expect(await idsOf()).toEqual(Array.from({ length: MOST }, (_, n) => `new${n}`));
    expect(await idsOf('air_2')).toEqual(['other']);
  });

  it('are not read where an email has no new one', async () => {
    const { small, calls } = smallStore();
    await small.learn('wsp_1', [named('a')], NOW);
    calls.length = 0;
    await small.learn('wsp_1', [named('a', { isNew: false })], at(1));
    expect(calls).toEqual(['bulkWrite']);
  });

  it('are back within the bound after more of them were stored at the same time', async () => {
    const { small } = smallStore();
    const many = Array.from({ length: 3 * MOST }, (_, n) => verdict({ id: `pat_${n}` }));
    await store.learn('wsp_1', many, NOW);
    await small.learn('wsp_1', [named('a')], at(1));
    expect(await idsOf()).toHaveLength(MOST);
  });

  it('are 2,000 at most', () => expect(MOST_PATTERNS).toBe(2_000));
});
