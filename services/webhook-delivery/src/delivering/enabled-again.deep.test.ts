import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AtCall, dying, watched } from '../../../../test/support/interleavings.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { newDelivery } from '../deliveries/deliveries.ts';
import { createWebhookStore } from '../webhooks/webhook-store.ts';
import { webhookHandlers, type WebhookDeps } from '../webhooks/webhooks.ts';
import { clock, context, feed, processOf as processOn, webhook } from './process.test-support.ts';
import { createProgressStore } from './progress-store.ts';

const ANNOUNCED_CHANGES = ['evt_0', 'evt_2', 'evt_3'];
const { workspaceId, _id: webhookId } = webhook;
const HOUR_MS = 3_600_000;
let database: TestDatabase;
let collections: TestDatabase['collections'];
beforeAll(async () => {
  database = await openTestDatabase();
  ({ collections } = database);
});
afterAll(() => database.close());

/** A disabled endpoint. The changes up to its cursor have failed and wait for hours, the later ones for fewer. */
async function begin(cursor: number): Promise<void> {
  await Promise.all([collections.webhooks.deleteMany({}), collections.deliveries.deleteMany({})]);
  const disabledAt = clock.date();
  await collections.webhooks.create([{ ...webhook, status: 'disabled', disabledAt, failingSince: disabledAt, cursor }]);
  const waiting = feed.slice(0, cursor).flatMap((change) => newDelivery(webhook, change, clock.date()) ?? []);
  for (const delivery of waiting) {
    const nextAttemptAt = new Date(clock.now() + (10 - delivery.seq) * HOUR_MS);
    await collections.deliveries.create([{ ...delivery, workspaceId, failures: 1, nextAttemptAt }]);
  }
}

async function enable(at: AtCall): Promise<void> {
  const webhooks = watched(createWebhookStore(collections), at);
  const { updateWebhook } = webhookHandlers({
    context,
    webhooks,
    headOf: async () => feed.length,
  } as unknown as WebhookDeps);
  const request = { webhookId, events: undefined, clearDescription: false, status: 'enabled' };
  await updateWebhook(request, { workspaceId, remainingMs: () => 10_000 } as Parameters<typeof updateWebhook>[1]);
}

const open: AtCall = (_name, call) => call();
const answer = (taken: string[]) => (changeId: string) => taken.push(changeId) > 0;
const processOf = (at: AtCall, taken: string[]) =>
  processOn({ progress: watched(createProgressStore(collections), at), at, answer: answer(taken) });

async function expectEachOnceInOrder(taken: readonly string[], kills: number): Promise<void> {
  // A process that dies before it records an attempt makes it once more.
  expect(taken.filter((id, n) => id !== taken[n - 1])).toEqual(ANNOUNCED_CHANGES);
  expect(taken.length).toBeLessThanOrEqual(ANNOUNCED_CHANGES.length + kills);
  const stored = await collections.deliveries.find({}).sort({ seq: 1 }).lean();
  expect(stored.map(({ changeId, status }) => [changeId, status])).toEqual(
    ANNOUNCED_CHANGES.map((id) => [id, 'delivered']),
  );
  expect(await collections.webhooks.findOne({}).lean()).toMatchObject({ cursor: feed.length, failingSince: null });
}

/** Dies at each of its calls in turn, before the call is made and after. */
async function atEveryCall(play: (death: ReturnType<typeof dying>) => Promise<void>): Promise<number> {
  let points = 0;
  for (const when of ['before', 'after'] as const)
    for (let deadly = 1, isOver = false; !isOver; deadly += 1) {
      const death = dying(deadly, when);
      await play(death);
      isOver = !death.isDead();
      points += 1;
    }
  return points;
}

it.each([
  ['one delivery waits', 1],
  ['two deliveries wait', 3],
])(
  'an endpoint that is enabled again gets all once and in order, wherever its process dies: %s',
  async (_what, cursor) => {
    const points = await atEveryCall(async ({ at }) => {
      await begin(cursor);
      await enable(open);
      const taken: string[] = [];
      await processOf(at, taken)().catch(() => undefined);
      await processOf(open, taken)();
      await expectEachOnceInOrder(taken, 1);
    });
    expect(points).toBeGreaterThan(30);
  },
);

it('an endpoint gets all once and in order, wherever the call dies that enables it, which its caller repeats', async () => {
  const points = await atEveryCall(async ({ at }) => {
    await begin(3);
    const taken: string[] = [];
    await enable(at).catch(() => undefined);
    // The delivery process goes on with whatever the call left.
    await processOf(open, taken)();
    await enable(open);
    await processOf(open, taken)();
    await expectEachOnceInOrder(taken, 0);
  });
  expect(points).toBeGreaterThan(6);
});
