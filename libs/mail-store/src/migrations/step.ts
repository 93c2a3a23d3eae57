import type { Connection } from 'mongoose';
import type { CollectionName } from '../collections.ts';

/**
 * One step from a schema version to the next. It runs while services of the former version still serve, may be killed
 * at any point and is then repeated. Indexes need no part: when the parts of all steps are done, missing indexes of the
 * list are made and changed ones are replaced.
 */
export interface MigrationStep {
  /** The title that the progress output shows. */
  title: string;
  parts: readonly MigrationPart[];
}

export type MigrationPart =
  | { kind: 'makeIndexes'; collection: CollectionName }
  | { kind: 'dropIndexes'; collection: CollectionName; names: readonly string[] }
  | { kind: 'rewrite'; rewrite: Rewrite<never> };

/** Documents changed one by one, in the order of their ids, a batch at a time. */
export interface Rewrite<T extends { _id: string }> {
  collection: CollectionName;
  /** The fields to read, beside `_id` and `workspaceId`. */
  reads: readonly (keyof T & string)[];
  /** A document is written only while these fields are as they were read. Otherwise it is read again. */
  whileSame: readonly (keyof T & string)[];
  /** The size of a batch. A whole batch is in memory at once. */
  atOnce: number;
  /** The updates of those documents that need one. A document that has its update already needs none. */
  updates(documents: readonly T[], database: Connection): Iterable<Update<T>> | AsyncIterable<Update<T>>;
}

export interface Update<T> {
  document: T;
  change: { $set?: Partial<T>; $unset?: Partial<Record<keyof T, ''>> };
}

/** Makes and replaces the indexes of a collection now, for a part behind it that needs them. */
export const makeIndexes = (collection: CollectionName): MigrationPart => ({ kind: 'makeIndexes', collection });

/** Drops indexes that no version in use needs any more. Their replacements are made before. */
export const dropIndexes = (collection: CollectionName, ...names: string[]): MigrationPart => ({
  kind: 'dropIndexes',
  collection,
  names,
});

export const rewrite = <T extends { _id: string }>(definition: Rewrite<T>): MigrationPart => ({
  kind: 'rewrite',
  rewrite: definition as unknown as Rewrite<never>,
});
