import { toApiError } from '@postroom/errors/api-error';
import { mongo, type Model } from 'mongoose';
import type { DriverReading } from '../access.ts';
import type { Query } from '../filter-tree/query.ts';
import { openCursorId, readBatch, type ReadDocument } from './raw-batch.ts';
import { timeLimit, type TimeBudget } from '../time-limit.ts';

interface RawFind {
  filter: Query;
  projection: Readonly<Record<string, 1>>;
  sort: Readonly<Record<string, 1 | -1>>;
  limit: number;
}

// Two of its fields and not the whole: comparing two whole models takes the compiler seconds.
type FindModel = Pick<Model<unknown>, 'db'> & { collection: DriverReading };

interface Caller extends TimeBudget {
  readonly signal: AbortSignal;
}

/**
 * Reads the documents of a page from their bytes. The driver's cursor parses every document before it returns its bytes,
 * which is a quarter of the cost of a page. So the page is requested as a command, and its reply is split here. A broken
 * connection or a page that is too large for one reply falls back to the driver's cursor, with its retries. Both stop in
 * the database when the caller leaves or the time is up.
 */
export async function findRaw<R>(model: FindModel, find: RawFind, read: ReadDocument<R>, call: Caller): Promise<R[]> {
  return (await firstReply(model, find, read, call)) ?? (await byCursor(model, find, read, call));
}

async function firstReply<R>(model: FindModel, find: RawFind, read: ReadDocument<R>, call: Caller) {
  // One more than the limit: a server with a full batch does not check for the end, and keeps the cursor open.
  const command = { find: model.collection.name, ...find, batchSize: find.limit + 1, ...timeLimit(call) };
  try {
    const database = model.db.db;
    const options = { raw: true, signal: call.signal, readPreference: database?.readPreference };
    const reply = await database?.command(command, options);
    return reply ? await readReply(model, reply.cursor as Uint8Array, find, read) : null;
  } catch (error) {
    if (call.signal.aborted || toApiError(error).code === 'QUERY_TIMEOUT') throw error;
    return null;
  }
}

/** Null when a page is too large for one reply. A cursor that is left open is closed, however this ends. */
async function readReply<R>(model: FindModel, cursor: Uint8Array, { limit }: RawFind, read: ReadDocument<R>) {
  const left = openCursorId(cursor);
  try {
    const page = readBatch(cursor, read);
    return left !== null && page.length < limit ? null : page;
  } finally {
    if (left !== null) await closeCursor(model, left);
  }
}

async function closeCursor({ db, collection }: FindModel, id: bigint): Promise<void> {
  const cursors = [mongo.Long.fromBigInt(id)];
  const readPreference = db.db?.readPreference;
  // A cursor that cannot be closed now expires some minutes later.
  await db.db?.command({ killCursors: collection.name, cursors }, { readPreference }).catch(() => undefined);
}

async function byCursor<R>(model: FindModel, find: RawFind, read: ReadDocument<R>, call: Caller): Promise<R[]> {
  const { filter, ...options } = find;
  const cursor = model.collection.find(filter, { ...options, raw: true, signal: call.signal, ...timeLimit(call) });
  const found = (await cursor.toArray()) as unknown as Uint8Array[];
  return found.map(({ buffer, byteOffset, byteLength }) => read(Buffer.from(buffer, byteOffset, byteLength), 0));
}
