import type { Writes } from '@postroom/mail-store/access';
import type { DeliveryAttemptPart, DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { MOST_SHOWN_ATTEMPTS, type Progress } from './schedule.ts';

export type ProgressStore = ReturnType<typeof createProgressStore>;
export type KnownEndpoint = Pick<
  WebhookDocument,
  '_id' | 'workspaceId' | 'status' | 'dueAt' | 'failingSince' | 'touchedAt'
>;
export type WaitingKind = 'retry' | 'replay';

const PAGE = 1_000;
const KNOWN = { workspaceId: 1, status: 1, dueAt: 1, failingSince: 1, touchedAt: 1 } as const;
const PAST = new Date(0);
const timeOf = { retry: 'nextAttemptAt', replay: 'replayAt' } as const;

/** The cursor of each endpoint, and its deliveries that wait. */
export function createProgressStore({ webhooks, deliveries }: Writes<'webhooks' | 'deliveries'>) {
  return { ...endpointCalls({ webhooks }), ...deliveryCalls({ deliveries }), ...recordCalls({ deliveries }) };
}

function endpointCalls({ webhooks }: Writes<'webhooks'>) {
  return {
    everyEndpoint: (afterId: string): Promise<KnownEndpoint[]> =>
      webhooks
        .find({ _id: { $gt: afterId } }, KNOWN, QUERY_LIMIT)
        .sort({ _id: 1 })
        .limit(PAGE)
        .lean<KnownEndpoint[]>(),

    everyTouched: (since: Date): Promise<KnownEndpoint[]> =>
      webhooks.find({ touchedAt: { $gt: since } }, KNOWN, QUERY_LIMIT).lean<KnownEndpoint[]>(),

    list: (workspaceId: string): Promise<WebhookDocument[]> =>
      webhooks.find({ workspaceId }, null, QUERY_LIMIT).lean<WebhookDocument[]>(),

    find: (workspaceId: string, webhookId: string): Promise<WebhookDocument | null> =>
      webhooks.findOne({ workspaceId, _id: webhookId }, null, QUERY_LIMIT).lean<WebhookDocument | null>(),

    /** Every change up to here has its delivery. The cursor never goes back, whichever process moves it. */
    async advance(workspaceId: string, webhookId: string, cursor: number): Promise<void> {
      const behind = { workspaceId, _id: webhookId, cursor: { $lt: cursor } };
      await webhooks.updateOne(behind, { $set: { cursor } }, QUERY_LIMIT);
    },

    /** Something is due at this time, or earlier. */
    async raiseDue(workspaceId: string, webhookId: string, at: Date): Promise<void> {
      const later = { workspaceId, _id: webhookId, $or: [{ dueAt: null }, { dueAt: { $gt: at } }] };
      await webhooks.updateOne(later, { $set: { dueAt: at } }, QUERY_LIMIT);
    },

    /** False where something else became due meanwhile. */
    async replaceDue(workspaceId: string, webhookId: string, before: Date | null, next: Date | null): Promise<boolean> {
      const same = { workspaceId, _id: webhookId, dueAt: before };
      return (await webhooks.updateOne(same, { $set: { dueAt: next } }, QUERY_LIMIT)).matchedCount === 1;
    },

    async recordSuccess(workspaceId: string, webhookId: string): Promise<void> {
      await webhooks.updateOne({ workspaceId, _id: webhookId }, { $set: { failingSince: null } }, QUERY_LIMIT);
    },

    async recordFailure(workspaceId: string, webhookId: string, at: Date): Promise<void> {
      const fresh = { workspaceId, _id: webhookId, failingSince: null };
      await webhooks.updateOne(fresh, { $set: { failingSince: at } }, QUERY_LIMIT);
    },

    /** Disables an endpoint that has failed since then or longer. True where this call did it. */
    async disable(workspaceId: string, webhookId: string, since: Date, now: Date): Promise<boolean> {
      const failing = { workspaceId, _id: webhookId, status: 'enabled', failingSince: { $lte: since } } as const;
      const disabled = { status: 'disabled', disabledAt: now, updatedAt: now, touchedAt: now } as const;
      return (await webhooks.updateOne(failing, { $set: disabled }, QUERY_LIMIT)).modifiedCount === 1;
    },
  };
}

function deliveryCalls({ deliveries }: Writes<'deliveries'>) {
  return {
    known: (workspaceId: string, ids: readonly string[]): Promise<DeliveryDocument[]> =>
      deliveries.find({ workspaceId, _id: { $in: [...ids] } }, null, QUERY_LIMIT).lean<DeliveryDocument[]>(),

    /** Those whose time has come, the first ones first. */
    due: (workspaceId: string, webhookId: string, kind: WaitingKind, now: Date, limit: number) =>
      deliveries
        .find({ workspaceId, webhookId, [timeOf[kind]]: { $gt: PAST, $lte: now } }, null, QUERY_LIMIT)
        .sort(kind === 'retry' ? { nextAttemptAt: 1, seq: 1 } : { replayAt: 1 })
        .limit(limit)
        .lean<DeliveryDocument[]>(),

    /** The earliest time at which one is due. */
    async nextDue(workspaceId: string, webhookId: string, kind: WaitingKind): Promise<Date | null> {
      const field = timeOf[kind];
      const first = await deliveries
        .findOne({ workspaceId, webhookId, [field]: { $gt: PAST } }, { nextAttemptAt: 1, replayAt: 1 }, QUERY_LIMIT)
        .sort({ [field]: 1 })
        .lean<Pick<DeliveryDocument, 'nextAttemptAt' | 'replayAt'> | null>();
      return first?.[field] ?? null;
    },
  };
}

function recordCalls({ deliveries }: Writes<'deliveries'>) {
  return {
    /** After its first attempt. False where another process was faster. */
    async insert(workspaceId: string, delivery: DeliveryDocument): Promise<boolean> {
      try {
        await deliveries.collection.insertOne({ ...delivery, workspaceId } as never);
        return true;
      } catch (error) {
        if (!isAnyDuplicate(error)) throw error;
        return false;
      }
    },

    /**
     * A success counts always. A failure changes the state only where nothing else was recorded since it was read: another
     * process may have delivered meanwhile, or a replay beside a retry. A failed replay never does. A replay that was asked
     * for during this one is made, too.
     */
    async recordAttempt(
      workspaceId: string,
      deliveryId: string,
      attempt: DeliveryAttemptPart,
      { status, failures, nextAttemptAt }: Progress,
      replayAt?: Date,
    ): Promise<void> {
      const one = { workspaceId, _id: deliveryId };
      const told = { $push: { attempts: { $each: [attempt], $slice: -MOST_SHOWN_ATTEMPTS } } };
      const isDelivered = status === 'delivered';
      const done = isDelivered ? { $set: { status, failures }, $unset: { nextAttemptAt: '' as const } } : {};
      if (replayAt) {
        const replayed = { ...told, ...done, $unset: { ...done.$unset, replayAt: '' as const } };
        if ((await deliveries.updateOne({ ...one, replayAt }, replayed, QUERY_LIMIT)).matchedCount === 1) return;
      } else if (!isDelivered) {
        const failed = {
          ...told,
          $set: { status, failures, ...(nextAttemptAt && { nextAttemptAt }) },
          ...(!nextAttemptAt && { $unset: { nextAttemptAt: '' as const } }),
        };
        const unchanged = { ...one, status: 'pending', failures: failures - 1 } as const;
        if ((await deliveries.updateOne(unchanged, failed, QUERY_LIMIT)).matchedCount === 1) return;
      }
      await deliveries.updateOne(one, { ...told, ...done }, QUERY_LIMIT);
    },
  };
}
