import { type Collection, type Connection, mongo } from 'mongoose';
import type { MigrationPartDocument } from '../documents/gateway.ts';
import type { Rewrite, Update } from './step.ts';

/** The position of a rewrite. It is stored after every batch. */
type Position = Pick<MigrationPartDocument, 'after' | 'seen' | 'changed'>;

interface Stored {
  _id: string;
  [field: string]: unknown;
}

interface RewriteDeps {
  connection: Connection;
  assertHeld(): void;
  /** Stores the position and reports it. */
  onBatch(position: Position): Promise<void>;
  /** Reports a document that stays as it is. */
  onPassedOver(id: string, cause: string): Promise<void>;
}

/** The codes of MongoDB for a document that an update would make larger than 16 MB. */
const TOO_LARGE: ReadonlySet<number> = new Set([10_334, 17_419]);

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
    const updates = await updatesOf(rewrite, left, deps);
    if (updates.length === 0) return changed;
    deps.assertHeld();
    const { matched, refused } = await write(rewrite, collection, updates);
    for (const id of refused) await deps.onPassedOver(id, 'it would be larger than a document may be');
    changed += matched;
    if (matched + refused.size === updates.length) return changed;
    const ids = updates.map(({ document }) => document._id).filter((id) => !refused.has(id));
    left = await collection.find({ _id: { $in: ids } }, { projection: projectionOf(rewrite) }).toArray();
  }
  return changed;
}

/** A document that no version could have written is passed over, so that it does not stop the others. */
async function updatesOf(
  rewrite: Rewrite<never>,
  documents: readonly Stored[],
  deps: RewriteDeps,
): Promise<Update<Stored>[]> {
  const updates: Update<Stored>[] = [];
  try {
    for await (const update of rewrite.updates(documents as never, deps.connection)) updates.push(update);
    return updates;
  } catch (error) {
    const [first] = documents;
    if (!first || error instanceof mongo.MongoError) throw error;
    if (documents.length === 1) return (await deps.onPassedOver(first._id, (error as Error).message), []);
  }
  updates.length = 0;
  for (const document of documents) updates.push(...(await updatesOf(rewrite, [document], deps)));
  return updates;
}

/** The number of documents that still were as read, and the ids of those that the update would make too large. */
async function write(rewrite: Rewrite<never>, collection: Collection<Stored>, updates: readonly Update<Stored>[]) {
  const writes = updates.map((update) => toWrite(rewrite, update));
  try {
    const { matchedCount } = await collection.bulkWrite(writes, { ordered: false });
    return { matched: matchedCount, refused: new Set<string>() };
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const faults = [error.writeErrors].flat();
    if (faults.length === 0 || !faults.every(({ code }) => TOO_LARGE.has(Number(code)))) throw error;
    const refused = new Set(faults.flatMap(({ index }) => updates[index]?.document._id ?? []));
    return { matched: error.result.matchedCount, refused };
  }
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
