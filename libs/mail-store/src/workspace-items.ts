import type { Model, QueryFilter } from 'mongoose';
import { createOnce } from './create-once.ts';
import { timeLimit, type TimeBudget } from './time-limit.ts';

interface Item {
  _id: string;
  workspaceId: string;
}

/** The calls that stores of the small collections of a workspace share. */
export function workspaceItems<T extends Item>(collection: Model<T>) {
  const where = (filter: object) => filter as QueryFilter<T>;
  return {
    /** Oldest first. */
    list(workspaceId: string, budget: TimeBudget): Promise<T[]> {
      return collection
        .find(where({ workspaceId }), null, timeLimit(budget))
        .sort({ createdAt: 1, _id: 1 })
        .lean<T[]>()
        .exec();
    },

    find(workspaceId: string, id: string, budget: TimeBudget): Promise<T | null> {
      return collection
        .findOne(where({ workspaceId, _id: id }), null, timeLimit(budget))
        .lean<T | null>()
        .exec();
    },

    countOthers(workspaceId: string, id: string, budget: TimeBudget): Promise<number> {
      return collection.countDocuments(where({ workspaceId, _id: { $ne: id } }), timeLimit(budget)).exec();
    },

    insert(workspaceId: string, item: Omit<T, 'workspaceId'>, budget: TimeBudget): Promise<T> {
      return createOnce(collection, { ...item, workspaceId } as unknown as T, budget);
    },

    /** Whether there was one to delete. */
    async delete(workspaceId: string, id: string, budget: TimeBudget): Promise<boolean> {
      return (await collection.deleteOne(where({ workspaceId, _id: id }), timeLimit(budget))).deletedCount === 1;
    },
  };
}
