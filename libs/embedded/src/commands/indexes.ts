import { Type, elements } from '../bson/raw.ts';
import { encodeDocument, toText } from '../bson/value.ts';
import { CommandError } from '../protocol/errors.ts';
import { type Operation, breathe, sliceIsOver } from '../protocol/operation.ts';
import { findCollection, openCollection } from '../storage/catalog.ts';
import {
  type Collection,
  dropIndex,
  finishIndex,
  indexRecord,
  namespaceOf,
  registerIndex,
} from '../storage/collection.ts';
import type { Index } from '../storage/document-index.ts';
import { describeIndex, parseIndexKey, parseIndexSpec, type IndexDefinition } from '../storage/index-spec.ts';
import { cursorReply } from './reply.ts';
import { type CommandHandler, type Request, collectionName, documentsField } from './request.ts';

/** Fills a new index while others go on writing; they keep the part that is there already up to date. */
async function build(collection: Collection, index: Index, operation: Operation): Promise<void> {
  try {
    for (let record = 0; record < collection.arena.end; record += 1) {
      if (sliceIsOver(operation)) await breathe(operation);
      indexRecord(collection, index, record);
    }
  } catch (error) {
    dropIndex(collection, index);
    throw error;
  }
  finishIndex(collection, index);
}

/** When another request is already filling the same index, this call waits until that index is complete. */
async function ensureIndex(collection: Collection, spec: IndexDefinition, operation: Operation): Promise<void> {
  for (;;) {
    const index = registerIndex(collection, spec);
    if (index) return build(collection, index, operation);
    if (!collection.indexes.some((other) => other.spec.name === spec.name && !other.ready)) return;
    await breathe(operation);
  }
}

export const createIndexes: CommandHandler = {
  fields: ['indexes', 'commitQuorum'],
  async run(request) {
    const name = collectionName(request);
    const specs = documentsField(request, 'indexes').map(parseIndexSpec);
    const createdCollectionAutomatically = !findCollection(request.state.catalog, request.database, name);
    const collection = openCollection(request.state.catalog, request.database, name);
    const numIndexesBefore = collection.indexes.length;
    for (const spec of specs) await ensureIndex(collection, spec, request.operation);
    return {
      numIndexesBefore,
      numIndexesAfter: collection.indexes.length,
      createdCollectionAutomatically,
      ...(collection.indexes.length === numIndexesBefore ? { note: 'all indexes already exist' } : {}),
    };
  },
};

export function requireCollection(request: Request): Collection {
  const name = collectionName(request);
  const collection = findCollection(request.state.catalog, request.database, name);
  if (!collection) throw new CommandError(26, `ns does not exist: ${request.database}.${name}`);
  return collection;
}

export const listIndexes: CommandHandler = {
  fields: ['cursor'],
  run(request) {
    const collection = requireCollection(request);
    const listed = collection.indexes
      .filter((index) => index.ready)
      .map((index) => encodeDocument(describeIndex(index.spec)));
    return cursorReply('firstBatch', 0n, namespaceOf(collection), listed);
  },
};

function chosen(collection: Collection, request: Request): Index[] {
  const value = request.fields.get('index');
  if (!value) throw new CommandError(40414, "BSON field 'dropIndexes.index' is missing but a required field");
  const others = collection.indexes.slice(1);
  const names =
    value.type === Type.array ? elements(value.buf, value.start).map((item) => toText(item.value)) : [toText(value)];
  if (names[0] === '*') return others;
  if (value.type === Type.object) {
    const key = JSON.stringify(parseIndexKey(value));
    const found = others.filter((index) => JSON.stringify(index.spec.key) === key);
    if (found.length === 0) throw new CommandError(27, `can't find index with key: ${key}`);
    return found;
  }
  return names.map((name) => {
    if (name === '_id_') throw new CommandError(72, 'cannot drop _id index');
    const found = others.find((index) => index.spec.name === name);
    if (!found) throw new CommandError(27, `index not found with name [${name}]`);
    return found;
  });
}

export const dropIndexes: CommandHandler = {
  fields: ['index'],
  run(request) {
    const collection = requireCollection(request);
    const nIndexesWas = collection.indexes.length;
    for (const index of chosen(collection, request)) dropIndex(collection, index);
    return { nIndexesWas };
  },
};
