import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDayCountsStore } from '@postroom/mail-store/day-counts-store';
import { openMailStore } from '@postroom/mail-store/connection';
import type { Collections } from '@postroom/mail-store/collections';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { randomIds } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { createUsage, type AnsweredCall, type UsageStores } from './usage.ts';
import { createLatestStore } from './latest-store.ts';

const context = createServiceContext({ name: 'gateway', log: silentLog });
let collections: Collections;
let store: UsageStores;
let clock: ManualClock;
beforeAll(async () => {
  const opened = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  context.lifecycle.add('test database', () => opened.connection.dropDatabase());
  await migrate(opened.connection, context);
  ({ collections } = opened);
  store = { ...createLatestStore(collections), calls: createDayCountsStore(collections.callCounts) };
});
afterAll(() => context.lifecycle.close());
beforeEach(async () => {
  clock = manualClock('2026-06-01T10:30:00Z');
  const { callCounts, keyUses, limitReadings } = collections;
  await Promise.all([callCounts.deleteMany({}), keyUses.deleteMany({}), limitReadings.deleteMany({})]);
});

const open = (on: UsageStores = store) => createUsage(on, 10_000, { clock, ids: randomIds, log: silentLog });
const callOf = (more: Partial<AnsweredCall> = {}): AnsweredCall => ({
  workspaceId: 'wsp_1',
  keyId: 'key_1',
  endpoint: 'GET /emails',
  address: '192.0.2.1',
  decision: undefined,
  ...more,
});
const decision = (used: number) => ({
  allowed: true,
  minute: { limit: 60, remaining: 60 - used, resetAt: clock.now() / 1_000 + 60 },
  month: { quota: 10_000, used, remaining: 10_000 - used, resetAt: Date.UTC(2026, 6, 1) / 1_000 },
});

describe('the usage of a gateway', () => {
  it('stores calls by key, route and hour, the last use, and the limits, within ten seconds', async () => {
    const usage = open();
    usage.note(callOf({ decision: decision(1) }));
    await clock.advance(1_000);
    usage.note(callOf({ address: '192.0.2.2', decision: decision(2) }));
    usage.note(callOf({ keyId: 'key_2', endpoint: 'unknown' }));
    await clock.advance(9_000);
    await usage.close();
    const counts = await collections.callCounts.find({}).sort({ subject: 1 }).lean();
    expect(counts).toMatchObject([
      { workspaceId: 'wsp_1', subject: 'key_1', counts: { 'GET /emails 10': 2 } },
      { subject: 'key_2', counts: { 'unknown 10': 1 } },
    ]);
    expect(await collections.keyUses.findOne({ _id: 'key_1' }).lean()).toEqual({
      _id: 'key_1',
      workspaceId: 'wsp_1',
      last: { at: new Date('2026-06-01T10:30:01Z'), address: '192.0.2.2' },
    });
    expect(await collections.limitReadings.findOne({ _id: 'wsp_1' }).lean()).toMatchObject({
      last: { minuteUsed: 2, monthUsed: 2, monthEnds: new Date('2026-07-01T00:00:00Z') },
    });
  });

  it('keeps the latest use and the latest limits, whichever gateway stores them last', async () => {
    const [early, late] = [open(), open()];
    early.note(callOf({ address: 'z is greater than 1', decision: decision(40) }));
    await clock.advance(5);
    late.note(callOf({ address: '192.0.2.9', decision: decision(3) }));
    await late.flush();
    await early.flush();
    await Promise.all([early.close(), late.close()]);
    expect((await collections.keyUses.findOne({}).lean())?.last.address).toBe('192.0.2.9');
    expect((await collections.limitReadings.findOne({}).lean())?.last.monthUsed).toBe(3);
    expect(Object.values((await collections.callCounts.find({}).lean())[0]?.counts ?? {})).toEqual([1]);
  });

  it('stores everything with the next flush where one failed, and what it can where a part fails', async () => {
    let isBroken = true;
    const usage = open({
      ...store,
      keepUses: (uses) => (isBroken ? Promise.reject(new Error('no answer')) : store.keepUses(uses)),
    });
    usage.note(callOf());
    await expect(usage.flush()).rejects.toThrow('no answer');
    expect([await collections.callCounts.countDocuments({}), await collections.keyUses.countDocuments({})]).toEqual([
      1, 0,
    ]);
    isBroken = false;
    await usage.close();
    expect(await collections.keyUses.countDocuments({})).toBe(1);
  });
});
