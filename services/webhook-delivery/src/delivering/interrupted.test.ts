import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AtCall, watched } from '../../../../test/support/interleavings.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { newDelivery } from '../deliveries/deliveries.ts';
import { createWebhookStore } from '../webhooks/webhook-store.ts';
import { webhookHandlers, type WebhookDeps } from '../webhooks/webhooks.ts';
import { startDelivering } from './delivering.ts';
import { clock, context, feed, webhook } from './process.test-support.ts';
import { createProgressStore } from './progress-store.ts';
import { ANNOUNCED } from './schedule.ts';

const ANNOUNCED_CHANGES = ['evt_0', 'evt_2', 'evt_3'];
let database: TestDatabase;
let collections: TestDatabase['collections'];
beforeAll(async () => {
  database = await openTestDatabase();
  ({ collections } = database);
});
afterAll(() => database.close());
beforeEach(async () => {
  await Promise.all([collections.webhooks.deleteMany({}), collections.deliveries.deleteMany({})]);
});

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

interface World {
  isMine?: () => boolean;
  at?: AtCall;
  /** So many changes of the feed are there. */
  changes?: number;
  /** The status that the endpoint answers a change with. */
  answer?: (changeId: string) => number;
}

const call: AtCall = (_name, made) => made();

async function start({ isMine = () => true, at = call, changes: count = feed.length, answer = () => 200 }: World = {}) {
  const taken: string[] = [];
  const changes = {
    listChanges: async ({ since }: { since?: { value: unknown } }) => {
      const page = feed.slice(Number(since?.value), count);
      return { changes: page, nextCursor: '', nextSeq: count, hasMore: false };
    },
    watchChanges: async ({ seq = 0 }: { seq?: number }, { signal }: { signal?: AbortSignal }) => {
      if (seq >= count) await new Promise((_, reject) => signal?.addEventListener('abort', reject));
      return { seq: count };
    },
  };
  const send = async (_find: unknown, { headers }: { headers: Record<string, string> }) => {
    const changeId = headers['webhook-id'] ?? '';
    const status = answer(changeId);
    taken.push(changeId);
    return { status, isDelivered: status === 200, error: null };
  };
  const delivering = await startDelivering({
    context,
    changes,
    newDelivery,
    progress: watched(createProgressStore(collections), at),
    sender: { send },
    signing: { open: async () => ({ reveal: () => 'whsec_' }) },
    targets: { find: async () => undefined },
    attempts: { add: () => undefined },
    inFlight: 10,
    plan: ANNOUNCED,
    isMine,
  } as unknown as Parameters<typeof startDelivering>[0]);
  opened.push(delivering.close);
  return { taken, close: delivering.close };
}

/** Lets the process work until this is so, or until nothing can come any more. */
async function until(isSo: () => unknown): Promise<void> {
  for (let n = 0; n < 400 && !(await isSo()); n += 1) {
    await clock.advance(25);
    // The database answers on sockets.
    await collections.webhooks.countDocuments({});
  }
}
/** A delivery that comes twice or too early would come within some polls. */
async function more(): Promise<void> {
  let polls = 0;
  await until(() => (polls += 1) > 40);
}

it('an endpoint gets its changes after its process lost its share for a moment, without a new change', async () => {
  await collections.webhooks.create([webhook]);
  let isLost: boolean | undefined;
  // The read behind this one is that of an attempt, right before it begins.
  let hasRead = false;
  const at: AtCall = async (name, made) => {
    const found = await made();
    if (name === 'find' && hasRead && isLost === undefined) isLost = true;
    hasRead ||= name === 'known';
    return found;
  };
  const isMine = () => {
    if (isLost !== true) return true;
    isLost = false;
    return false;
  };
  const { taken } = await start({ isMine, at });
  await until(() => taken.length === 3);
  expect([isLost, taken]).toEqual([false, ANNOUNCED_CHANGES]);
});

/** An endpoint whose first two changes have failed, the first one more often, and that has missed the others. */
async function failed(): Promise<void> {
  await collections.webhooks.create([webhook]);
  const { close } = await start({ changes: 3, answer: () => 500 });
  await until(
    async () => (await collections.deliveries.countDocuments({ nextAttemptAt: { $gt: clock.date() } })) === 2,
  );
  await close();
  await collections.deliveries.updateOne({ changeId: 'evt_0' }, { $set: { nextAttemptAt: inHours(6) } });
  expect(await collections.deliveries.countDocuments({ status: 'pending' })).toBe(2);
}
const inHours = (hours: number) => new Date(clock.now() + hours * 3_600_000);

async function enable(): Promise<void> {
  const webhooks = createWebhookStore(collections);
  const deps = { context, webhooks, headOf: async () => feed.length } as unknown as WebhookDeps;
  const { updateWebhook } = webhookHandlers(deps);
  const { workspaceId, _id: webhookId } = webhook;
  const request = { webhookId, events: undefined, clearDescription: false, status: 'enabled' };
  await updateWebhook(request, { workspaceId, remainingMs: () => 10_000 } as Parameters<typeof updateWebhook>[1]);
}

it('an endpoint that was disabled gets its waiting deliveries first and then all that it missed, once and in order', async () => {
  await failed();
  await collections.webhooks.updateOne({}, { $set: { status: 'disabled' } });
  await enable();
  // The search for waiting deliveries takes long, and the feed is read at once.
  const at: AtCall = async (name, made) => {
    if (name === 'due') await clock.sleep(300);
    return made();
  };
  const { taken } = await start({ at });
  await until(() => taken.length === 3);
  await more();
  expect(taken).toEqual(ANNOUNCED_CHANGES);
});

it('an endpoint that was paused gets what is overdue first, and a delivery that waits at its time', async () => {
  await failed();
  await collections.webhooks.updateOne({}, { $set: { status: 'paused' } });
  clock.set(inHours(1));
  await enable();
  const { taken } = await start();
  await until(() => taken.length === 2);
  await more();
  expect(taken).toEqual(['evt_2', 'evt_3']);
  clock.set(inHours(5));
  await until(() => taken.length === 3);
  expect(taken).toEqual(['evt_2', 'evt_3', 'evt_0']);
});

describe('beside any number of replays', () => {
  const waiting = async (id: string, seq: number, fields: object) => {
    const delivery = newDelivery(webhook, { ...feed[0]!, id, seq }, clock.date());
    await collections.deliveries.create([{ ...delivery!, workspaceId: webhook.workspaceId, ...fields }]);
  };
  const replays = async () => {
    const asked = { status: 'delivered', replayAt: clock.date() };
    for (let n = 1; n <= 60; n += 1) await waiting(`old_${n}`, -n, asked);
  };

  it('an endpoint that is enabled again gets what it missed', async () => {
    await collections.webhooks.create([{ ...webhook, orderedUntil: feed.length, dueAt: clock.date() }]);
    await replays();
    const { taken } = await start();
    await until(() => taken.length === 63);
    const missed = taken.filter((id) => id.startsWith('evt'));
    expect([missed, taken.length, taken.at(-1)]).toEqual([ANNOUNCED_CHANGES, 63, expect.stringMatching('old')]);
  });

  it('an endpoint gets a retry at its time, and once', async () => {
    await collections.webhooks.create([{ ...webhook, cursor: feed.length, dueAt: clock.date() }]);
    await replays();
    const later = inHours(1);
    await waiting('retried', 0, { failures: 1, nextAttemptAt: later });
    const { taken } = await start({ answer: () => (taken.length === 20 && clock.set(later), 200) });
    await until(() => taken.length === 61);
    await more();
    const retries = taken.filter((id) => id === 'retried');
    expect([retries.length, taken.length, taken.at(-1)]).toEqual([1, 61, expect.stringMatching('old')]);
  });
});
