import type { Model } from 'mongoose';
import type { Clock } from '@postroom/runtime/clock';
import type { CountedAttemptsDocument } from './documents/counted-attempts.ts';
import { isAnyDuplicate } from './duplicate.ts';
import { ATTEMPTS_KEPT_MS } from './kept-for.ts';
import { QUERY_LIMIT } from './time-limit.ts';

const FIRST = { upsert: true, returnDocument: 'after', ...QUERY_LIMIT } as const;
/** Longer than nearly every attempt takes. */
export const ATTEMPT_LEASE_MS = 60_000;

/** Counts attempts in MongoDB, so that the count outlives the process that made them. */
export function createAttemptsStore(collection: Model<CountedAttemptsDocument>, clock: Pick<Clock, 'now'>) {
  return {
    /** Undefined while another attempt may be in work: it is not known yet how that one ends. */
    async begin(workspaceId: string, _id: string): Promise<number | undefined> {
      const now = clock.now();
      const leaseUntil = new Date(now + ATTEMPT_LEASE_MS);
      const isFree = { leaseUntil: { $not: { $gt: new Date(now) } } };
      const change = { $inc: { attempts: 1 }, $set: { leaseUntil, expiresAt: new Date(now + ATTEMPTS_KEPT_MS) } };
      try {
        const counted = await collection
          .findOneAndUpdate({ _id, workspaceId, ...isFree }, change, FIRST)
          .lean<CountedAttemptsDocument>();
        return counted.attempts;
      } catch (error) {
        // It exists and is not free, so that it was inserted once more.
        if (isAnyDuplicate(error)) return undefined;
        throw error;
      }
    },

    async takeBack(workspaceId: string, _id: string): Promise<void> {
      const change = { $inc: { attempts: -1 }, $unset: { leaseUntil: 1 } } as const;
      await collection.updateOne({ _id, workspaceId }, change, QUERY_LIMIT);
    },

    async end(workspaceId: string, _id: string): Promise<void> {
      await collection.deleteOne({ _id, workspaceId }, QUERY_LIMIT);
    },
  };
}
