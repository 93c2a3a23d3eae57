import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { newDelivery } from '../deliveries/deliveries.ts';
import { clock, feed, webhook } from './process.test-support.ts';
import { createProgressStore, type ProgressStore } from './progress-store.ts';

let database: TestDatabase;
let progress: ProgressStore;
beforeAll(async () => {
  database = await openTestDatabase();
  progress = createProgressStore(database.collections);
});
afterAll(() => database.close());

it.each([
  ['fails', 'abandoned'],
  ['succeeds', 'delivered'],
] as const)('a replay that was asked for while another one %s is made, too', async (_what, status) => {
  const { workspaceId } = webhook;
  const change = { ...(feed[0] as (typeof feed)[number]), id: `evt_${status}` };
  const delivery = newDelivery(webhook, change, clock.date());
  const [first, second] = [new Date(clock.now()), new Date(clock.now() + 5_000)];
  await database.collections.deliveries.collection.insertOne({
    ...delivery,
    workspaceId,
    status: 'abandoned',
    replayAt: second,
  } as never);
  const attempt = { at: first, status: 500, durationMs: 10_000, error: null };
  const replayOf = (replayAt: Date) =>
    progress.recordAttempt(workspaceId, delivery?._id ?? '', attempt, { status, failures: 5 }, replayAt);
  const stored = async () => (await progress.known(workspaceId, [delivery?._id ?? '']))[0];
  await replayOf(first);
  expect(await stored()).toMatchObject({ status, replayAt: second, attempts: [{ status: 500 }] });
  await replayOf(second);
  expect((await stored())?.replayAt).toBeUndefined();
  expect((await stored())?.attempts).toHaveLength(2);
});
