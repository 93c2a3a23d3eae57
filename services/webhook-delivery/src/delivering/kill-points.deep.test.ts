import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Collections } from '@postroom/mail-store/collections';
import { openMailStore } from '@postroom/mail-store/connection';
import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { manualClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { type AtCall, dying, watched } from '../../../../test/support/interleavings.ts';
import { newDelivery } from '../deliveries/deliveries.ts';
import { createDeliver } from './deliver.ts';
import { createFollow } from './follow.ts';
import { createProgressStore } from './progress-store.ts';
import { ANNOUNCED } from './schedule.ts';
import { createNoteDue, createWaiting } from './waiting.ts';

const clock = manualClock('2026-03-01T00:00:00Z');
const context = createServiceContext({ name: 'test', clock, logLevel: 'silent' });
const open = new AbortController().signal;
const workspaceId = 'wsp_1';
const webhookId = 'whk_1';
let collections: Collections;
beforeAll(async () => {
  const store = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  await migrate(store.connection, context);
  ({ collections } = store);
});
afterAll(() => context.lifecycle.close());

const feed = ['email.deleted', 'email.created', 'draft.sent', 'email.deleted'].map((event, n) => ({
  id: `evt_${n}`,
  seq: n + 1,
  event,
  data: '{}',
  cursor: '',
  createdAt: clock.date().toISOString(),
}));
const webhook: WebhookDocument = {
  _id: webhookId,
  workspaceId,
  url: 'https://hooks.test/',
  events: [],
  description: null,
  status: 'enabled',
  secret: { keyId: 'k', wrappedKey: 'w', sealed: 's' },
  secretOperation: '',
  cursor: 0,
  orderedUntil: 0,
  dueAt: null,
  failingSince: null,
  disabledAt: null,
  createdAt: clock.date(),
  updatedAt: clock.date(),
  touchedAt: clock.date(),
};

/** One process: it follows the feed, and makes what is due by its own memory of the database alone. */
function processOf(at: AtCall, taken: string[], refused: Set<string>) {
  const progress = watched(createProgressStore(collections), at);
  const attempt = {
    isWell: () => false,
    forget: () => undefined,
    run: (_webhook: unknown, { changeId }: { changeId: string }) =>
      at('attempt', async () => {
        const isDelivered = !refused.delete(changeId);
        if (isDelivered) taken.push(changeId);
        return { at: clock.date(), status: isDelivered ? 200 : 500, durationMs: 1, error: null, isDelivered };
      }),
  } as unknown as Parameters<typeof createDeliver>[0]['attempt'];
  const deliver = createDeliver({ context, progress, attempt, plan: ANNOUNCED, isMine: () => true, onDue: () => {} });
  const listChanges = async ({ since }: { since?: { $case: string; value: unknown } | undefined }) => {
    const changes = feed.slice(Number(since?.value), Number(since?.value) + 2);
    const nextSeq = changes.at(-1)?.seq ?? Number(since?.value);
    return { changes, nextCursor: '', nextSeq, hasMore: nextSeq < feed.length };
  };
  const follow = createFollow({ progress, changes: { listChanges }, deliver, clock, newDelivery });
  const waiting = createWaiting({ progress, deliver, clock });
  const noteDue = createNoteDue({ progress });
  return async () => {
    await follow(workspaceId, webhookId, () => feed.length, open);
    for (;;) {
      const due = (await progress.find(workspaceId, webhookId))?.dueAt;
      if (!due) return;
      if (due > clock.date()) clock.set(due);
      await waiting(workspaceId, webhookId, 'retry', open);
      await noteDue(workspaceId, webhookId);
    }
  };
}

it('loses no delivery, wherever a process dies, and the next one repeats the one in flight at most', async () => {
  let points = 0;
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1, isOver = false; !isOver; deadly += 1) {
      await Promise.all([collections.webhooks.deleteMany({}), collections.deliveries.deleteMany({})]);
      await collections.webhooks.create([webhook]);
      const taken: string[] = [];
      const refused = new Set(['evt_0']);
      const first = dying(deadly, when);
      await processOf(first.at, taken, refused)().catch(() => undefined);
      isOver = !first.isDead();
      await processOf((_name, call) => call(), taken, refused)();
      expect([deadly, when, [...new Set(taken)].sort()]).toEqual([deadly, when, ['evt_0', 'evt_2', 'evt_3']]);
      expect(taken.length).toBeLessThanOrEqual(feed.length);
      const stored = await collections.deliveries.find({}).lean();
      expect(stored.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
      expect((await collections.webhooks.findOne({}).lean())?.cursor).toBe(feed.length);
      points += 1;
    }
  }
  expect(points).toBeGreaterThan(30);
});
