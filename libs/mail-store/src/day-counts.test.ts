import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { seededIds } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../test/support/database.ts';
import { openMailStore } from './connection.ts';
import type { Collections } from './collections.ts';
import { createDayCounts, type DayCountsStore } from './day-counts.ts';
import { createDayCountsStore } from './day-counts-store.ts';
import { migrate } from './migrations/migrate.ts';

const context = createServiceContext({ name: 'test', log: silentLog });
let calls: Collections['callCounts'];
let store: DayCountsStore;
let clock: ManualClock;
const ids = seededIds(7);
const open = (on: DayCountsStore = store) => createDayCounts(on, { clock, ids });

beforeAll(async () => {
  const opened = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  context.lifecycle.add('test database', () => opened.connection.dropDatabase());
  await migrate(opened.connection, context);
  calls = opened.collections.callCounts;
  store = createDayCountsStore(calls);
});
afterAll(() => context.lifecycle.close());
beforeEach(async () => {
  clock = manualClock('2026-06-01T23:59:00Z');
  await calls.deleteMany({});
});

const totals = async () => {
  const sums: Record<string, number> = {};
  for (const { subject, day, counts } of await calls.find({}).lean())
    for (const [name, count] of Object.entries(counts)) {
      const key = `${subject} ${day.toISOString().slice(8, 10)} ${name}`;
      sums[key] = (sums[key] ?? 0) + count;
    }
  return sums;
};

describe('counts by day', () => {
  it('are those of all processes together, each number once', async () => {
    const [one, other] = [open(), open()];
    for (const process of [one, other, one]) process.add('w', 'key_1', 'GET /emails 23', 1);
    await one.flush();
    one.add('w', 'key_1', 'GET /emails 23', 1);
    one.add('w', 'key_2', 'GET /labels 23', 2);
    await Promise.all([one.flush(), other.flush()]);
    await one.flush();
    expect(await totals()).toEqual({ 'key_1 01 GET /emails 23': 4, 'key_2 01 GET /labels 23': 2 });
  });

  it('stand under the day on which they were counted, also where they are stored the day after', async () => {
    const counts = open();
    counts.add('w', 'key_1', 'GET /emails 23', 1);
    await clock.advance(120_000);
    counts.add('w', 'key_1', 'GET /emails 0', 1);
    await counts.flush();
    expect(await totals()).toEqual({ 'key_1 01 GET /emails 23': 1, 'key_1 02 GET /emails 0': 1 });
    expect((await calls.find({}).sort({ day: 1 }).lean())[0]?.expiresAt).toEqual(new Date('2027-07-07T00:00:00Z'));
  });

  it('begin another document, and lose nothing, once the entries of idle subjects were let go', async () => {
    const counts = open();
    counts.add('w', 'key_1', 'a', 3);
    for (let n = 0; n < 5_000; n += 1) counts.add('w', `idle_${n}`, 'a', 1);
    await counts.flush();
    counts.add('w', 'key_1', 'a', 4);
    await counts.flush();
    expect(await calls.countDocuments({ subject: 'key_1' })).toBe(2);
    expect((await totals())['key_1 01 a']).toBe(7);
  });
});

/** The same arithmetic as the update of the store, which the tests above hold against a database. */
function inMemory() {
  const kept = new Map<string, number>();
  return {
    keepAll: async (documents: Parameters<DayCountsStore['keepAll']>[0]) => {
      for (const { _id, counts } of documents) {
        for (const [name, count] of Object.entries(counts))
          kept.set(`${_id} ${name}`, Math.max(count, kept.get(`${_id} ${name}`) ?? 0));
      }
    },
    total: () => [...kept.values()].reduce((sum, count) => sum + count, 0),
  };
}

/**
 * A flush is one write. It can fail before it reaches the database or after, the write can arrive late, when later ones are
 * in, and the process can be killed at any step. Every order of these is tried.
 */
describe('counts whose writes go wrong', () => {
  const fates = ['stored', 'refused', 'stored, and its answer lost', 'late'] as const;
  const orders = fates.flatMap((a) => fates.flatMap((b) => fates.map((c) => [a, b, c] as const)));

  it.each(orders)(
    'are never counted twice, and lose at most those since the last flush: %s, %s, %s',
    async (...fate) => {
      const late: (() => Promise<void>)[] = [];
      const memory = inMemory();
      let flushes = 0;
      const wrong: DayCountsStore = {
        keepAll: async (documents) => {
          const now = fate[flushes++];
          if (now === 'refused') throw new Error('refused');
          if (now === 'late') {
            late.push(() => memory.keepAll(documents));
            throw new Error('no answer yet');
          }
          await memory.keepAll(documents);
          if (now !== 'stored') throw new Error('the answer is lost');
        },
      };
      const counts = open(wrong);
      let counted = 0;
      let safe = 0;
      for (const now of fate) {
        counts.add('w', 'key_1', 'a', 2);
        counted += 2;
        await counts.flush().catch(() => undefined);
        if (now.startsWith('stored')) safe = counted;
      }
      // Here the process is killed. Writes that it had sent may still arrive.
      const atDeath = memory.total();
      expect(atDeath).toBe(safe);
      for (const arrive of late) await arrive();
      const afterwards = memory.total();
      expect(afterwards).toBeGreaterThanOrEqual(safe);
      expect(afterwards).toBeLessThanOrEqual(counted);
    },
  );
});
