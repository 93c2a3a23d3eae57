import type { Model } from 'mongoose';
import { steadyId } from '@postroom/runtime/steady-id';
import { isAnyDuplicate } from './duplicate.ts';
import { timeLimit, type TimeBudget } from './time-limit.ts';

interface Operation {
  workspaceId: string;
  operationId: string;
}

/** The id of the one thing of its kind that an operation makes, however often it is asked for. */
export function idOfOperation(prefix: string, { workspaceId, operationId }: Operation): string {
  return steadyId(prefix, workspaceId, operationId);
}

/**
 * Inserts a document whose id is that of its operation, and gives back what stands there: this one, or the one that an
 * earlier attempt of the same operation made. Any other duplicate is thrown. The insert is asked first, so that an
 * attempt that still runs elsewhere is met as well as one that is over.
 */
export async function createOnce<T extends { _id: string; workspaceId: string }>(
  collection: Model<T>,
  document: T,
  budget: TimeBudget,
): Promise<T> {
  try {
    await collection.create([document]);
    return document;
  } catch (error) {
    const made = isAnyDuplicate(error) ? await madeBefore(collection, document, budget) : null;
    if (made) return made;
    throw error;
  }
}

/** What an earlier attempt of the same operation has made. */
export function madeBefore<T extends { _id: string; workspaceId: string }>(
  collection: Model<T>,
  { _id, workspaceId }: { _id: string; workspaceId: string },
  budget: TimeBudget,
): Promise<T | null> {
  return collection.findOne({ _id, workspaceId }, null, timeLimit(budget)).lean<T | null>();
}
