import type { DeliveryStatus } from '@postroom/contract/lists';
import type { Writes } from '@postroom/mail-store/access';
import type { DeliveryDocument } from '@postroom/mail-store/documents/webhook';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { notExpired } from '@postroom/mail-store/kept-for';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import type { ListPosition } from './list-cursor.ts';

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

interface Listing {
  webhookId: string;
  status: DeliveryStatus | undefined;
  after: ListPosition | undefined;
  limit: number;
  now: Date;
}

/** Deliveries as the owners of a webhook see them, and ask for them once more. */
export function createDeliveryStore({ deliveries, webhooks }: Writes<'deliveries' | 'webhooks'>) {
  return {
    /** The newest first. */
    list(workspaceId: string, { webhookId, status, after, limit, now }: Listing, budget: TimeBudget) {
      const behind = after && {
        $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id: { $lt: after.id } }],
      };
      const filter = { workspaceId, webhookId, ...notExpired(now), ...(status && { status }), ...behind };
      return deliveries
        .find(filter, null, timeLimit(budget))
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<DeliveryDocument[]>();
    },

    /** Null where there is no such delivery. */
    askReplay(workspaceId: string, webhookId: string, deliveryId: string, now: Date, budget: TimeBudget) {
      return deliveries
        .findOneAndUpdate(
          { workspaceId, webhookId, _id: deliveryId, ...notExpired(now) },
          { $set: { replayAt: now } },
          { ...timeLimit(budget), returnDocument: 'after' },
        )
        .lean<DeliveryDocument | null>();
    },

    /** Those that are not there yet. Returns how many. */
    async add(workspaceId: string, documents: readonly Omit<DeliveryDocument, 'workspaceId'>[]): Promise<number> {
      const whole = documents.map((document) => ({ ...document, workspaceId }));
      try {
        const { insertedCount } = await deliveries.collection.insertMany(whole as never[], { ordered: false });
        return insertedCount;
      } catch (error) {
        if (!isAnyDuplicate(error)) throw error;
        return (error as { insertedCount?: number }).insertedCount ?? 0;
      }
    },

    /** Those that were abandoned are tried again. Returns how many. */
    async revive(workspaceId: string, webhookId: string, since: Date, now: Date, budget: TimeBudget): Promise<number> {
      const abandoned = { workspaceId, webhookId, status: 'abandoned', changedAt: { $gte: since } } as const;
      const again = { $set: { status: 'pending', failures: 0, nextAttemptAt: now } } as const;
      return (await deliveries.updateMany(abandoned, again, timeLimit(budget))).modifiedCount;
    },

    /** The process that delivers hears that something is due. */
    async tell(workspaceId: string, webhookId: string, now: Date, budget: TimeBudget): Promise<void> {
      const told = { $set: { dueAt: now, touchedAt: now } };
      await webhooks.updateOne({ workspaceId, _id: webhookId }, told, timeLimit(budget));
    },
  };
}
