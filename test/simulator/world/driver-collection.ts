import mongoose from 'mongoose';
import { databaseCall } from './database-call.ts';
import type { Process } from './process.ts';

export type Document = Record<string, unknown>;
export type RunCommand = (command: Document) => Promise<Document>;

interface FindOptions {
  projection?: Document;
  sort?: Document;
  limit?: number;
  skip?: number;
}

const { MongoServerError } = mongoose.mongo;

/**
 * The calls of the driver's collection that services make, as the commands that the driver sends for them. A call that is
 * missing here fails by its name.
 */
export function driverCollection(name: string, caller: () => Process) {
  const send: Send = (command, label) => databaseCall(caller(), name, label, command);
  return { collectionName: name, ...readsOf(name, send), ...changesOf(name, send), ...insertsOf(name, send) };
}

type Send = (command: Document, label: string) => Promise<Document>;

function readsOf(name: string, send: Send) {
  const find = (filter: Document, options: FindOptions = {}) => {
    const wanted = { ...options };
    let left: Document[] | undefined;
    const cursor = {
      next: async () => (left ??= await cursor.toArray()).shift() ?? null,
      close: async () => undefined,
      sort: (sort: Document) => ((wanted.sort = sort), cursor),
      limit: (limit: number) => ((wanted.limit = limit), cursor),
      toArray: async (): Promise<Document[]> =>
        firstBatch(await send({ find: name, filter, ...findFields(filter, wanted) }, 'find')),
    };
    return cursor;
  };
  return {
    find,
    findOne: async (filter: Document, options: FindOptions = {}) =>
      (await find(filter, { ...options, limit: 1 }).toArray())[0] ?? null,
    aggregate: (pipeline: Document[]) => ({
      toArray: async () => firstBatch(await send({ aggregate: name, pipeline, cursor: {} }, 'aggregate')),
    }),
    countDocuments: async (filter: Document, { limit }: { limit?: number } = {}) => {
      const limited = limit === undefined ? [] : [{ $limit: limit }];
      const pipeline = [{ $match: filter }, ...limited, { $group: { _id: 1, n: { $sum: 1 } } }];
      const [row] = firstBatch(await send({ aggregate: name, pipeline, cursor: {} }, 'countDocuments'));
      return Number(row?.['n'] ?? 0);
    },
  };
}

type UpdateKind = 'updateOne' | 'updateMany' | 'replaceOne';

function changesOf(name: string, send: Send) {
  const change =
    (kind: UpdateKind) =>
    async (filter: Document, update: unknown, options: Document = {}) =>
      updateResult(await send({ update: name, updates: [updateEntry(kind, { filter, update, ...options })] }, kind));
  const remove = (kind: 'deleteOne' | 'deleteMany') => async (filter: Document) => {
    const entry = { q: filter, limit: kind === 'deleteOne' ? 1 : 0, ...hintFor(filter) };
    const { n } = await send({ delete: name, deletes: [entry] }, kind);
    return { acknowledged: true, deletedCount: n };
  };
  return {
    updateOne: change('updateOne'),
    updateMany: change('updateMany'),
    replaceOne: change('replaceOne'),
    deleteOne: remove('deleteOne'),
    deleteMany: remove('deleteMany'),
    findOneAndUpdate: async (query: Document, update: unknown, options: Document = {}) => {
      const { upsert, projection, sort, returnDocument, arrayFilters } = options;
      const wanted = { ...defined({ upsert, fields: projection, sort, arrayFilters }), ...hintFor(query) };
      const command = { findAndModify: name, query, update, new: returnDocument === 'after', ...wanted };
      return (await send(command, 'findOneAndUpdate'))['value'] ?? null;
    },
    findOneAndDelete: async (query: Document, { projection, sort }: Document = {}) => {
      const command = {
        findAndModify: name,
        query,
        remove: true,
        ...defined({ fields: projection, sort }),
        ...hintFor(query),
      };
      return (await send(command, 'findOneAndDelete'))['value'] ?? null;
    },
    bulkWrite: async (steps: Record<string, Document>[], { ordered = true }: { ordered?: boolean } = {}) => {
      const updates = steps.map((step) => {
        const [[kind, entry]] = Object.entries(step) as [[string, Document]];
        if (kind !== 'updateOne' && kind !== 'updateMany') throw new Error(`bulkWrite: ${kind} is not simulated`);
        return updateEntry(kind, entry);
      });
      throwWriteErrors(await send({ update: name, updates, ordered }, 'bulkWrite'));
      return {};
    },
  };
}

function insertsOf(name: string, send: Send) {
  return {
    insertOne: async (document: Document) => {
      throwFirst(await send({ insert: name, documents: [document] }, 'insertOne'));
      return { acknowledged: true, insertedId: document['_id'] };
    },
    insertMany: async (documents: Document[], { ordered = true }: { ordered?: boolean } = {}) => {
      throwWriteErrors(await send({ insert: name, documents, ordered }, 'insertMany'));
      return { acknowledged: true, insertedCount: documents.length };
    },
  };
}

/** So few documents are read through sooner than an index for them is chosen. */
const READ_THROUGH = { hint: { $natural: 1 } };
const hintFor = (filter: Document) => ('_id' in filter ? undefined : READ_THROUGH);

function findFields(filter: Document, { projection, sort, limit, skip }: FindOptions): Document {
  return { ...defined({ projection, sort, limit, skip }), ...hintFor(filter), batchSize: 10_000 };
}

function updateEntry(kind: UpdateKind, { filter, update, upsert, arrayFilters }: Document): Document {
  return {
    q: filter,
    u: update,
    multi: kind === 'updateMany',
    ...defined({ upsert, arrayFilters }),
    ...hintFor(filter as Document),
  };
}

function updateResult(reply: Document) {
  throwFirst(reply);
  const upserted = (reply['upserted'] as { _id: unknown }[] | undefined) ?? [];
  return {
    acknowledged: true,
    matchedCount: Number(reply['n']) - upserted.length,
    modifiedCount: Number(reply['nModified']),
    upsertedCount: upserted.length,
    upsertedId: upserted[0]?._id ?? null,
  };
}

function firstBatch(reply: Document): Document[] {
  const { id, firstBatch: found } = reply['cursor'] as { id: unknown; firstBatch: Document[] };
  if (Number(id) !== 0) throw new Error('a result of more than one batch is not simulated');
  return found;
}

interface WriteError {
  errmsg: string;
  code: number;
  index: number;
}

const writeErrorsOf = (reply: Document) => (reply['writeErrors'] as WriteError[] | undefined) ?? [];

/** As a call for one document fails. */
function throwFirst(reply: Document): void {
  const [first] = writeErrorsOf(reply);
  if (first) throw new MongoServerError({ message: first.errmsg, code: first.code });
}

/** As a bulk write fails: with each of its failures. */
function throwWriteErrors(reply: Document): void {
  const writeErrors = writeErrorsOf(reply);
  const [first] = writeErrors;
  if (first) throw Object.assign(new MongoServerError({ message: first.errmsg, code: first.code }), { writeErrors });
}

function defined(fields: Document): Document {
  const kept: Document = {};
  for (const name in fields) if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name];
  return kept;
}
