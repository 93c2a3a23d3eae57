import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createForwardSlotStore } from './forward-slot-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

const MINUTE_MS = 60_000;
const noon = new Date('2026-03-01T12:00:00Z');
const after = (minutes: number) => new Date(noon.getTime() + minutes * MINUTE_MS);
const forward = (_id: string, minutes: number, parts: object = {}) => ({
  _id,
  workspaceId: 'w',
  kind: 'forward',
  state: 'scheduled',
  ruleId: 'one',
  scheduledSendAt: after(minutes),
  ...parts,
});

it('counts the forwards that leave in the hour up to a time, and finds the nth last of them', async () => {
  await database.collections.sends.collection.insertMany([
    forward('an hour before', -60),
    forward('a', -59, { state: 'recorded' }),
    forward('b', -10, { ruleId: 'two' }),
    forward('c', 0),
    forward('own', 0),
    forward('x', 0),
    forward('later', 20),
    forward('canceled', -5, { state: 'canceled' }),
    forward('a reply', -5, { kind: 'reply' }),
    forward('of others', -5, { workspaceId: 'v' }),
  ] as never[]);
  const { countInHour, nthLast, countWaiting } = createForwardSlotStore(database.collections);
  const own = { _id: 'own', scheduledSendAt: noon };
  // At its own time those of a higher id come behind it; at another time all others are before it.
  expect(await countInHour('w', { send: own, at: noon, of: {} }, 10)).toBe(3);
  expect(await countInHour('w', { send: own, at: noon, of: { ruleId: 'one' } }, 10)).toBe(2);
  expect(await countInHour('w', { send: own, at: after(1), of: {} }, 10)).toBe(3);
  expect(await countInHour('w', { send: { ...own, scheduledSendAt: after(-1) }, at: noon, of: {} }, 10)).toBe(4);
  expect(await countInHour('w', { send: own, at: noon, of: {} }, 2)).toBe(2);
  const nths = [1, 2, 4, 5, 6].map((nth) => nthLast('w', { send: own, at: noon, of: {} }, nth));
  expect(await Promise.all(nths)).toEqual([after(20), noon, after(-10), after(-59), null]);
  expect(await countWaiting('w', noon, 10)).toBe(1);
});
