import { isDeepStrictEqual } from 'node:util';
import type { Collection } from 'mongoose';
import type { IndexSpec } from '../indexes.ts';

/** An index as the server lists it. */
export interface ListedIndex {
  name: string;
  key: Record<string, unknown>;
  unique?: boolean;
  partialFilterExpression?: Record<string, unknown>;
  expireAfterSeconds?: number;
}

const NO_SUCH_COLLECTION = 26;
const NO_SUCH_INDEX = 27;
const NOT_IMPLEMENTED = 238;

const codeOf = (error: unknown) => (error as { code?: unknown } | undefined)?.code;

export async function listIndexes(collection: Collection): Promise<ListedIndex[]> {
  try {
    return (await collection.listIndexes().toArray()) as ListedIndex[];
  } catch (error) {
    if (codeOf(error) === NO_SUCH_COLLECTION) return [];
    throw error;
  }
}

/**
 * Makes the missing indexes and returns the names of those that the server has then. A server that refuses partial or
 * expiring indexes goes without them: no answer depends on them, only the time of a page and of an expired record.
 */
export async function makeIndexes(collection: Collection, specs: readonly IndexSpec[]): Promise<Set<string>> {
  const names = new Set(specs.map(({ name }) => name));
  if (specs.length === 0) return names;
  try {
    await collection.createIndexes(specs.map(toDescription));
    return names;
  } catch (error) {
    const plain = specs.filter(({ only, expires }) => !only && !expires);
    if (codeOf(error) !== NOT_IMPLEMENTED || plain.length === specs.length) throw error;
    return makeIndexes(collection, plain);
  }
}

/** True where there was one to drop. */
export async function dropIndex(collection: Collection, name: string): Promise<boolean> {
  try {
    await collection.dropIndex(name);
    return true;
  } catch (error) {
    if (codeOf(error) === NO_SUCH_INDEX || codeOf(error) === NO_SUCH_COLLECTION) return false;
    throw error;
  }
}

function toDescription({ name, key, unique, only, expires }: IndexSpec) {
  return {
    name,
    key,
    ...(unique && { unique }),
    ...(only && { partialFilterExpression: only }),
    ...(expires && { expireAfterSeconds: 0 }),
  };
}

export const isLike = (there: ListedIndex, spec: IndexSpec) => sameShape(there, toDescription(spec));

/** Equal in everything but the name. The order of the fields is part of the key, and servers differ in their numbers. */
export function sameShape(one: Omit<ListedIndex, 'name'>, other: Omit<ListedIndex, 'name'>): boolean {
  return isDeepStrictEqual(shapeOf(one), shapeOf(other));
}

function shapeOf({ key, unique, partialFilterExpression, expireAfterSeconds }: Omit<ListedIndex, 'name'>) {
  return {
    key: Object.entries(key).map(([field, direction]) => [field, Number(direction)]),
    unique: unique === true,
    only: partialFilterExpression ?? null,
    expires: expireAfterSeconds === undefined ? null : Number(expireAfterSeconds),
  };
}
