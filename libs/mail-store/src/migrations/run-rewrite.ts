import type { Collection, Connection, mongo } from 'mongoose';
import type { MigrationPartDocument } from '../documents/gateway.ts';
import type { Rewrite, Update } from './step.ts';

/** The position of a rewrite. It is stored after every batch. */
export type Position = Pick<MigrationPartDocument, 'after' | 'seen' | 'changed'>;

interface Stored {
  _id: string;
  [field: string]: unknown;
}

export interface RewriteDeps {
  connection: Connection;
  assertHeld(): void;
  /** Stores the position and reports it. */
  onBatch(position: Position): Promise<void>;
}

/** A call that changes the same documents over and over would have to win so often in a row. */
const MOST_TRIES = 20;

/**
 * Reads every document of a collection in the order of the ids, after the stored position. New documents are written by
 * services of one version or the other, and need no rewrite in this pass.
 */
export async function runRewrite(rewrite: Rewrite<never>, from: Position, deps: RewriteDeps): Promise<Position> {
  const collection = deps.connection.collection<Stored>(rewrite.collection);
  let position = from;
  for (;;) {
    const behind = position.after === null ? {} : { _id: { $gt: position.after } };
    const documents = await collection
      .find(behind, { projection: projectionOf(rewrite) })
      .sort({ _id: 1 })
      .limit(rewrite.atOnce)
      .toArray();
    const last = documents.at(-1);
    if (!last) return position;
    const changed = await writeBatch(rewrite, collection, documents, deps);
    position = { after: last._id, seen: position.seen + documents.length, changed: position.changed + changed };
    await deps.onBatch(position);
  }
}

/** Repeats until no document of the batch needs an update. A document that a call changed meanwhile is read again. */
async function writeBatch(
  rewrite: Rewrite<never>,
  collection: Collection<Stored>,
  documents: Stored[],
  deps: RewriteDeps,
): Promise<number> {
  let changed = 0;
  let left = documents;
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === MOST_TRIES)
      throw new Error(`documents of ${rewrite.collection} change faster than they are rewritten`);
    const updates: Update<Stored>[] = [];
    for await (const update of rewrite.updates(left as never, deps.connection)) updates.push(update);
    if (updates.length === 0) return changed;
    deps.assertHeld();
    const { matchedCount } = await collection.bulkWrite(
      updates.map((update) => toWrite(rewrite, update)),
      { ordered: false },
    );
    changed += matchedCount;
    if (matchedCount === updates.length) return changed;
    const ids = updates.map(({ document }) => document._id);
    left = await collection.find({ _id: { $in: ids } }, { projection: projectionOf(rewrite) }).toArray();
  }
  return changed;
}

function projectionOf({ reads, whileSame }: Rewrite<never>) {
  return Object.fromEntries(['_id', 'workspaceId', ...reads, ...whileSame].map((field) => [field, 1]));
}

/** The filter has the workspace, so that a sharded collection finds the shard. */
function toWrite(
  { whileSame }: Rewrite<never>,
  { document, change }: Update<Stored>,
): mongo.AnyBulkWriteOperation<Stored> {
  const asRead = (['workspaceId', ...whileSame] as string[]).map((field) => [
    field,
    document[field] === undefined ? { $exists: false } : document[field],
  ]);
  return { updateOne: { filter: { _id: document._id, ...Object.fromEntries(asRead) }, update: change as never } };
}
