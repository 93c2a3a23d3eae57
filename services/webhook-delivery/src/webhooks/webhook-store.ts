import type { Writes } from '@postroom/mail-store/access';
import { createOnce } from '@postroom/mail-store/create-once';
import type { EnvelopePart } from '@postroom/mail-store/documents/mailbox';
import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type WebhookStore = ReturnType<typeof createWebhookStore>;
export type WebhookChange = Partial<
  Pick<
    WebhookDocument,
    'url' | 'events' | 'description' | 'status' | 'failingSince' | 'disabledAt' | 'orderedUntil' | 'dueAt'
  >
>;
type Stored = WebhookDocument | null;

const PAST = new Date(0);
const AFTER = { returnDocument: 'after' } as const;

/** Webhooks as their owners see and change them. Each write is one that the process that delivers hears of. */
export function createWebhookStore({ webhooks, deliveries }: Writes<'webhooks' | 'deliveries'>) {
  return {
    ...waitingCalls({ deliveries }),

    list: (workspaceId: string, budget: TimeBudget): Promise<WebhookDocument[]> =>
      webhooks.find({ workspaceId }, null, timeLimit(budget)).sort({ createdAt: 1, _id: 1 }).lean<WebhookDocument[]>(),

    find: (workspaceId: string, webhookId: string, budget: TimeBudget): Promise<Stored> =>
      webhooks.findOne({ workspaceId, _id: webhookId }, null, timeLimit(budget)).lean<Stored>(),

    countOthers: (workspaceId: string, webhookId: string, budget: TimeBudget): Promise<number> =>
      webhooks.countDocuments({ workspaceId, _id: { $ne: webhookId } }, timeLimit(budget)),

    insert: (workspaceId: string, webhook: Omit<WebhookDocument, 'workspaceId'>, budget: TimeBudget) =>
      createOnce(webhooks, { ...webhook, workspaceId }, budget),

    change: (workspaceId: string, webhookId: string, change: WebhookChange, now: Date, budget: TimeBudget) =>
      webhooks
        .findOneAndUpdate(
          { workspaceId, _id: webhookId },
          { $set: { ...change, updatedAt: now, touchedAt: now } },
          { ...timeLimit(budget), ...AFTER },
        )
        .lean<Stored>(),

    /** Null where this operation has replaced the secret already, or there is no such webhook. */
    replaceSecret: (
      workspaceId: string,
      webhookId: string,
      { secret, operation, now }: { secret: EnvelopePart; operation: string; now: Date },
      budget: TimeBudget,
    ) =>
      webhooks
        .findOneAndUpdate(
          { workspaceId, _id: webhookId, secretOperation: { $ne: operation } },
          { $set: { secret, secretOperation: operation, updatedAt: now, touchedAt: now } },
          { ...timeLimit(budget), ...AFTER },
        )
        .lean<Stored>(),

    /** Its deliveries go with it; those that are left by a crash expire. False where there was none. */
    delete: async (workspaceId: string, webhookId: string, budget: TimeBudget): Promise<boolean> => {
      const { deletedCount } = await webhooks.deleteOne({ workspaceId, _id: webhookId }, timeLimit(budget));
      if (deletedCount === 1) await deliveries.deleteMany({ workspaceId, webhookId }, timeLimit(budget));
      return deletedCount === 1;
    },
  };
}

function waitingCalls({ deliveries }: Writes<'deliveries'>) {
  return {
    /** Makes deliveries that wait due at this time, in the order of their changes: all of them, or those that are overdue. */
    async makeDue(workspaceId: string, webhookId: string, which: 'all' | 'overdue', now: Date, budget: TimeBudget) {
      const nextAttemptAt = { $gt: PAST, ...(which === 'overdue' && { $lte: now }) };
      const waiting = { workspaceId, webhookId, nextAttemptAt };
      await deliveries.updateMany(waiting, { $set: { nextAttemptAt: now } }, timeLimit(budget));
    },
  };
}
