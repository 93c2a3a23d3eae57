import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { manualClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { newDelivery } from '../deliveries/deliveries.ts';
import { createMakeAttempts } from './make-attempts.ts';
import { createDeliverChanges } from './deliver-changes.ts';
import type { ProgressStore } from './progress-store.ts';
import { ANNOUNCED, isDueAt } from './schedule.ts';
import { createNoteDue, createDueAttempts } from './due-attempts.ts';

/** Ahead of the clock of the database, which removes by its own time what has expired. */
export const clock = manualClock('2126-03-01T00:00:00Z');
export const context = createServiceContext({ name: 'test', clock, logLevel: 'silent' });
const open = new AbortController().signal;
const workspaceId = 'wsp_1';
const webhookId = 'whk_1';

/** The second of them is no announced event. */
export const feed = ['email.deleted', 'email.created', 'draft.sent', 'email.deleted'].map((event, n) => ({
  id: `evt_${n}`,
  seq: n + 1,
  event,
  data: '{}',
  cursor: '',
  createdAt: clock.date().toISOString(),
}));
export const webhook: WebhookDocument = {
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

interface Process {
  progress: ProgressStore;
  at: (name: string, call: () => Promise<unknown>) => Promise<unknown>;
  /** Whether the endpoint takes this change now. */
  answer: (changeId: string) => boolean;
  isMine?: () => boolean;
}

/** One process: it follows the feed, and makes what is due by its own memory of the database alone. */
export function processOf({ progress, at, answer, isMine = () => true }: Process): () => Promise<void> {
  const attempt = {
    withPermit: (_webhook: unknown, task: () => Promise<void>) => task(),
    send: (_webhook: unknown, { changeId }: { changeId: string }) =>
      at('attempt', async () => {
        const isDelivered = answer(changeId);
        return { at: clock.date(), status: isDelivered ? 200 : 500, durationMs: 1, error: null, isDelivered };
      }),
  } as unknown as Parameters<typeof createMakeAttempts>[0]['attempt'];
  const pacing = { takes: () => false };
  const deliver = createMakeAttempts({ context, progress, attempt, pacing, plan: ANNOUNCED, isMine, onDue: () => {} });
  const listChanges = async ({ since }: { since?: { $case: string; value: unknown } | undefined }) => {
    const changes = feed.slice(Number(since?.value), Number(since?.value) + 2);
    const nextSeq = changes.at(-1)?.seq ?? Number(since?.value);
    return { changes, nextCursor: '', nextSeq, hasMore: nextSeq < feed.length };
  };
  const waiting = createDueAttempts({ progress, deliver, clock });
  const retry = () => waiting(workspaceId, webhookId, 'retry', open);
  const follow = createDeliverChanges({ progress, changes: { listChanges }, deliver, clock, newDelivery, retry });
  const noteDue = createNoteDue({ progress });
  return async () => {
    await follow(workspaceId, webhookId, () => feed.length, open);
    for (;;) {
      const due = (await progress.find(workspaceId, webhookId))?.dueAt;
      if (!due || !isMine()) return;
      if (!isDueAt(due, clock.now())) clock.set(due);
      await waiting(workspaceId, webhookId, 'retry', open);
      await noteDue(workspaceId, webhookId);
    }
  };
}
