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
    ...recoverCalls({ deliveries }),

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

    /** The process that delivers hears that something is due. */
    async tell(workspaceId: string, webhookId: string, now: Date, budget: TimeBudget): Promise<void> {
      const told = { $set: { dueAt: now, touchedAt: now } };
      await webhooks.updateOne({ workspaceId, _id: webhookId }, told, timeLimit(budget));
    },
  };
}

function recoverCalls({ deliveries }: Writes<'deliveries'>) {
  return {
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

    /** Those of these that are not stored yet. */
    async missing<T extends { _id: string }>(
      workspaceId: string,
      documents: readonly T[],
      budget: TimeBudget,
    ): Promise<T[]> {
      const ids = documents.map(({ _id }) => _id);
      const found = await deliveries.find({ workspaceId, _id: { $in: ids } }, { _id: 1 }, timeLimit(budget)).lean();
      const known = new Set(found.map(({ _id }) => _id));
      return documents.filter(({ _id }) => !known.has(_id));
    },

    /** So many of those that were abandoned are tried again. Returns how many there were. */
    async revive(
      workspaceId: string,
      webhookId: string,
      { since, now, limit }: { since: Date; now: Date; limit: number },
      budget: TimeBudget,
    ): Promise<number> {
      const abandoned = { workspaceId, webhookId, status: 'abandoned', changedAt: { $gte: since } } as const;
      const found = await deliveries.find(abandoned, { _id: 1 }, timeLimit(budget)).limit(limit).lean();
      const ids = found.map(({ _id }) => _id);
      const again = { $set: { status: 'pending', failures: 0, nextAttemptAt: now } } as const;
      const still = { workspaceId, _id: { $in: ids }, status: 'abandoned' } as const;
      if (ids.length > 0) await deliveries.updateMany(still, again, timeLimit(budget));
      return ids.length;
    },
  };
}
