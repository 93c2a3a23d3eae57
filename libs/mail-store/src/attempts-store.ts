import type { Model } from 'mongoose';
import type { Clock } from '@postroom/runtime/clock';
import type { CountedAttemptsDocument } from './documents/counted-attempts.ts';
import { ATTEMPTS_KEPT_MS } from './kept-for.ts';
import { QUERY_LIMIT } from './time-limit.ts';

const FIRST = { upsert: true, returnDocument: 'after', ...QUERY_LIMIT } as const;

/** Counts attempts in MongoDB, so that the count outlives the process that made them. */
export function createAttemptsStore(collection: Model<CountedAttemptsDocument>, clock: Pick<Clock, 'now'>) {
  return {
    async begin(workspaceId: string, _id: string): Promise<number> {
      const expiresAt = new Date(clock.now() + ATTEMPTS_KEPT_MS);
      const change = { $inc: { attempts: 1 }, $set: { expiresAt } };
      const counted = await collection
        .findOneAndUpdate({ _id, workspaceId }, change, FIRST)
        .lean<CountedAttemptsDocument>();
      return counted.attempts;
    },

    async takeBack(workspaceId: string, _id: string): Promise<void> {
      await collection.updateOne({ _id, workspaceId }, { $inc: { attempts: -1 } }, QUERY_LIMIT);
    },

    async end(workspaceId: string, _id: string): Promise<void> {
      await collection.deleteOne({ _id, workspaceId }, QUERY_LIMIT);
    },
  };
}
