import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { openTestDatabase, type TestDatabase } from '../../../test/support/mail-database.ts';
import { ATTEMPT_LEASE_MS, createAttemptsStore } from './attempts-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

it('counts an attempt only when the one before has ended or its lease is over, however many processes ask', async () => {
  const clock = manualClock();
  const store = createAttemptsStore(database.collections.forwardAttempts, clock);
  const begun = await Promise.all(Array.from({ length: 8 }, () => store.begin('wsp_1', 'eml_1')));
  expect(begun.filter((count) => count !== undefined)).toEqual([1]);
  await clock.advance(ATTEMPT_LEASE_MS);
  expect(await store.begin('wsp_1', 'eml_1')).toBe(2);
  expect(await store.begin('wsp_1', 'eml_1')).toBeUndefined();
  await store.takeBack('wsp_1', 'eml_1');
  expect(await store.begin('wsp_1', 'eml_1')).toBe(2);
  await store.end('wsp_1', 'eml_1');
  expect(await store.begin('wsp_1', 'eml_1')).toBe(1);
});
