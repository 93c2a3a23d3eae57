import { CommandError } from '../errors.ts';
import {
  type Arena,
  addRecord,
  compactOnce,
  createArena,
  hasRecord,
  readRecord,
  removeRecord,
  replaceRecord,
} from './arena.ts';
import { duplicateKey } from './duplicate.ts';
import { idKeyOf } from './id-order.ts';
import { type Index, createIndex, keysOf } from './document-index.ts';
import { type IndexSpec, isSameIndex } from './index-spec.ts';
import { fullKey, insert, remove, seek } from './index-tree.ts';
import { compareBytes } from './key.ts';
import { leafCount, leafKey, leafRecord } from './leaf.ts';

/** What happened to a collection, as the journal keeps it. */
export type Change =
  | { kind: 'put'; document: Buffer }
  | { kind: 'remove'; id: Buffer }
  | { kind: 'createIndex'; spec: IndexSpec }
  | { kind: 'dropIndex'; name: string };

export interface Collection {
  database: string;
  name: string;
  arena: Arena;
  /** The first one is always that of `_id`. */
  indexes: Index[];
  changed: (change: Change) => void;
}

export function createCollection(database: string, name: string): Collection {
  const arena = createArena();
  const spec: IndexSpec = {
    name: '_id_',
    key: [['_id', 1]],
    unique: true,
    partial: undefined,
    expireAfterSeconds: undefined,
  };
  return { database, name, arena, indexes: [createIndex(spec, arena)], changed: () => undefined };
}

export const namespaceOf = ({ database, name }: Collection): string => `${database}.${name}`;

const descendingId = (index: Index): boolean => index.fields.at(-1)?.descending ?? false;

/** A record with this stored key, other than `own`; -1 when there is none. */
function holderOf(index: Index, key: Buffer, own: number): number {
  let { leaf, slot } = seek(index.tree, key);
  for (;;) {
    if (slot >= leafCount(leaf)) {
      if (!leaf.next) return -1;
      leaf = leaf.next;
      slot = 0;
      continue;
    }
    if (compareBytes(leafKey(leaf, slot), key) !== 0) return -1;
    const record = leafRecord(leaf, slot);
    if (record !== own) return record;
    slot += 1;
  }
}

/** The record with this `_id`, given as a key; -1 when there is none. */
export function findById(collection: Collection, id: Buffer): number {
  const { tree } = collection.indexes[0] as Index;
  const position = seek(tree, id);
  if (position.slot >= leafCount(position.leaf)) return -1;
  return compareBytes(fullKey(tree, position), id) === 0 ? leafRecord(position.leaf, position.slot) : -1;
}

function assertUnique(collection: Collection, index: Index, keys: Buffer[], document: Buffer, own: number): void {
  if (!index.spec.unique) return;
  // The stored key leaves a closing _id out, and that is unique by itself.
  if (index.spec.key.at(-1)?.[0] === '_id') return;
  for (const key of keys) {
    if (holderOf(index, key, own) >= 0) throw duplicateKey(namespaceOf(collection), index, document, key);
  }
}

export function insertDocument(collection: Collection, document: Buffer): number {
  const id = idKeyOf(document, false);
  const [idIndex] = collection.indexes;
  if (findById(collection, id) >= 0) throw duplicateKey(namespaceOf(collection), idIndex as Index, document, id);
  const keys = collection.indexes.map((index) => keysOf(index, document));
  collection.indexes.forEach((index, i) => assertUnique(collection, index, keys[i] as Buffer[], document, -1));
  const record = addRecord(collection.arena, document);
  collection.indexes.forEach((index, i) => addKeys(index, keys[i] as Buffer[], document, record));
  collection.changed({ kind: 'put', document });
  return record;
}

let probe = Buffer.allocUnsafeSlow(1024);

/** A stored key and the key of the `_id` behind it, in a buffer that is used again for the next one. */
function probeOf(key: Buffer, id: Buffer): Buffer {
  const length = key.length + id.length;
  if (length > probe.length) probe = Buffer.allocUnsafeSlow(length * 2);
  probe.set(key, 0);
  probe.set(id, key.length);
  return probe.subarray(0, length);
}

function addKeys(index: Index, keys: Buffer[], document: Buffer, record: number): void {
  if (keys.length === 0) return;
  const id = idKeyOf(document, descendingId(index));
  for (const key of keys) insert(index.tree, probeOf(key, id), key.length, record);
}

function removeKeys(index: Index, keys: Buffer[], document: Buffer, record: number): void {
  if (keys.length === 0) return;
  const id = idKeyOf(document, descendingId(index));
  for (const key of keys) remove(index.tree, probeOf(key, id), record);
}

const lacking = (keys: Buffer[], others: Buffer[]): Buffer[] => {
  if (keys.length === 1 && others.length === 1) return (keys[0] as Buffer).equals(others[0] as Buffer) ? [] : keys;
  const known = new Set(others.map((key) => key.toString('latin1')));
  return keys.filter((key) => !known.has(key.toString('latin1')));
};

/** Replaces a document by another with the same `_id`. Only index entries that differ are touched. */
export function updateDocument(collection: Collection, record: number, document: Buffer): void {
  const old = readRecord(collection.arena, record);
  const changes = collection.indexes.map((index) => {
    const before = keysOf(index, old);
    const after = keysOf(index, document);
    return { index, gone: lacking(before, after), come: lacking(after, before) };
  });
  for (const { index, come } of changes) assertUnique(collection, index, come, document, record);
  for (const { index, gone } of changes) removeKeys(index, gone, old, record);
  replaceRecord(collection.arena, record, document);
  for (const { index, come } of changes) addKeys(index, come, document, record);
  collection.changed({ kind: 'put', document });
  compactOnce(collection.arena);
}

export function deleteDocument(collection: Collection, record: number): void {
  const document = readRecord(collection.arena, record);
  for (const index of collection.indexes) removeKeys(index, keysOf(index, document), document, record);
  removeRecord(collection.arena, record);
  collection.changed({ kind: 'remove', id: idKeyOf(document, false) });
  compactOnce(collection.arena);
}

/** Registers an index that is not built yet, or answers undefined when there is one like it. */
export function registerIndex(collection: Collection, spec: IndexSpec): Index | undefined {
  if (collection.indexes.some((existing) => isSameIndex(existing.spec, spec))) return undefined;
  if (collection.indexes.length >= 64)
    throw new CommandError(67, 'add index fails, too many indexes for this collection');
  const index = createIndex(spec, collection.arena);
  index.ready = false;
  collection.indexes.push(index);
  return index;
}

/** Adds one record to an index that is being built; writers may have added it already, which changes nothing. */
export function indexRecord(collection: Collection, index: Index, record: number): void {
  if (!hasRecord(collection.arena, record)) return;
  const document = readRecord(collection.arena, record);
  const keys = keysOf(index, document);
  assertUnique(collection, index, keys, document, record);
  addKeys(index, keys, document, record);
}

export function finishIndex(collection: Collection, index: Index): void {
  index.ready = true;
  collection.changed({ kind: 'createIndex', spec: index.spec });
}

export function dropIndex(collection: Collection, index: Index): void {
  collection.indexes = collection.indexes.filter((other) => other !== index);
  if (index.ready) collection.changed({ kind: 'dropIndex', name: index.spec.name });
}
