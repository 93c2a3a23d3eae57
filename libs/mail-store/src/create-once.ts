import type { Model } from 'mongoose';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import { isAnyDuplicate } from './duplicate.ts';
import { timeLimit, type TimeBudget } from './time-limit.ts';

interface Operation {
  workspaceId: string;
  operationId: string;
}

/** The id of the one thing of its kind that an operation makes, however often it is asked for. */
export function deterministicIdOf(prefix: string, { workspaceId, operationId }: Operation): string {
  return deterministicId(prefix, workspaceId, operationId);
}

/**
 * Inserts a document whose id is that of its operation, and returns the stored one: this one, or the one of an earlier
 * attempt of the same operation. Any other duplicate is thrown. The insert comes before the read, so that an attempt that
 * still runs elsewhere is found, too.
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

/** The document of an earlier attempt of the same operation. */
export function madeBefore<T extends { _id: string; workspaceId: string }>(
  collection: Model<T>,
  { _id, workspaceId }: { _id: string; workspaceId: string },
  budget: TimeBudget,
): Promise<T | null> {
  return collection.findOne({ _id, workspaceId }, null, timeLimit(budget)).lean<T | null>();
}
