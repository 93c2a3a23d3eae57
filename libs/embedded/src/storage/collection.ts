import { CommandError } from '../protocol/errors.ts';
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
import { changedFields } from './changed-fields.ts';
import { duplicateKey } from './duplicate.ts';
import { idKeyOf } from './id-order.ts';
import { type Index, type DocumentKeys, createIndex, keysOf } from './document-index.ts';
import { type IndexDefinition, isSameIndex } from './index-spec.ts';
import { inEntryOrder } from './entry-order.ts';
import { fullKey, remove, seek } from './index-tree.ts';
import { compareBytes, textOf } from '../bson/key.ts';
import { leafCount, leafKey, leafRecord } from './leaf.ts';
import { type NewEntry, insertEntries } from './tree-insert.ts';

/** A change of a collection, in the form that the journal stores. */
export type Change =
  | { kind: 'put'; document: Buffer }
  | { kind: 'remove'; id: Buffer }
  | { kind: 'createIndex'; spec: IndexDefinition }
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
  const spec: IndexDefinition = {
    name: '_id_',
    key: [['_id', 1]],
    unique: true,
    partial: undefined,
    expireAfterSeconds: undefined,
  };
  return { database, name, arena, indexes: [createIndex(spec, arena)], changed: () => undefined };
}

export const namespaceOf = ({ database, name }: Collection): string => `${database}.${name}`;

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

function assertUnique(collection: Collection, index: Index, own: DocumentKeys, document: Buffer, record: number): void {
  if (!index.spec.unique) return;
  // The stored key leaves a closing _id out, and that is unique by itself.
  if (index.spec.key.at(-1)?.[0] === '_id') return;
  for (const key of own.keys) {
    const stored = key.subarray(0, key.length - own.idLength);
    if (holderOf(index, stored, record) >= 0) throw duplicateKey(namespaceOf(collection), index, document, stored);
  }
}

const entriesOf = ({ keys, idLength }: DocumentKeys, record: number): NewEntry[] =>
  keys.map((key) => ({ key, stored: key.length - idLength, record }));

function removeKeys(index: Index, keys: Buffer[], record: number): void {
  for (const key of keys) remove(index.tree, key, record);
}

export function insertDocument(collection: Collection, document: Buffer): number {
  const [outcome] = insertDocuments(collection, [document]);
  if (outcome instanceof CommandError) throw outcome;
  return outcome as number;
}

/**
 * Inserts one document after the other; answers the record of each, or why it was refused. Unique indexes get their entry
 * before the next document is checked. The other indexes get all entries at the end, in order, which costs a fraction:
 * no reader sees the state in between, because all of it happens in one iteration of the event loop.
 */
export function insertDocuments(collection: Collection, documents: readonly Buffer[]): (number | CommandError)[] {
  const late: NewEntry[][] = collection.indexes.map(() => []);
  try {
    return documents.map((document) => insertOrRefuse(collection, document, late));
  } finally {
    collection.indexes.forEach((index, i) => insertEntries(index.tree, inEntryOrder(late[i] as NewEntry[])));
  }
}

function insertOrRefuse(collection: Collection, document: Buffer, late: NewEntry[][]): number | CommandError {
  try {
    return insertOne(collection, document, late);
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

function insertOne(collection: Collection, document: Buffer, late: NewEntry[][]): number {
  const id = idKeyOf(document, false);
  const [idIndex] = collection.indexes;
  if (findById(collection, id) >= 0) throw duplicateKey(namespaceOf(collection), idIndex as Index, document, id);
  const keys = collection.indexes.map((index) => keysOf(index, document));
  collection.indexes.forEach((index, i) => assertUnique(collection, index, keys[i] as DocumentKeys, document, -1));
  const record = addRecord(collection.arena, document);
  collection.indexes.forEach((index, i) => {
    const entries = entriesOf(keys[i] as DocumentKeys, record);
    if (index.spec.unique) insertEntries(index.tree, entries);
    else for (const entry of entries) late[i]?.push(entry);
  });
  collection.changed({ kind: 'put', document });
  return record;
}

const lacking = (keys: Buffer[], others: Buffer[]): Buffer[] => {
  if (keys.length === 1 && others.length === 1) return (keys[0] as Buffer).equals(others[0] as Buffer) ? [] : keys;
  const known = new Set(others.map(textOf));
  return keys.filter((key) => !known.has(textOf(key)));
};

/** Whether an index has the same of both: no field of it changed, nor did what it leaves out. */
function isUntouched(index: Index, changed: ReadonlySet<string>, old: Buffer, document: Buffer): boolean {
  const { fields, partial } = index;
  if (fields.some(({ path }) => changed.has(path.first))) return false;
  return !partial || partial.matches(old) === partial.matches(document);
}

/** Replaces a document by another with the same `_id`. Only index entries that differ are touched. */
export function updateDocument(collection: Collection, record: number, document: Buffer): void {
  const old = readRecord(collection.arena, record);
  const fields = changedFields(old, document);
  const changes = collection.indexes.flatMap((index) => {
    if (isUntouched(index, fields, old, document)) return [];
    const before = keysOf(index, old);
    const after = keysOf(index, document);
    const come: DocumentKeys = { keys: lacking(after.keys, before.keys), idLength: after.idLength };
    return [{ index, gone: lacking(before.keys, after.keys), come }];
  });
  for (const { index, come } of changes) assertUnique(collection, index, come, document, record);
  for (const { index, gone } of changes) removeKeys(index, gone, record);
  replaceRecord(collection.arena, record, document);
  for (const { index, come } of changes) insertEntries(index.tree, entriesOf(come, record));
  collection.changed({ kind: 'put', document });
  compactOnce(collection.arena);
}

export function deleteDocument(collection: Collection, record: number): void {
  const document = readRecord(collection.arena, record);
  for (const index of collection.indexes) removeKeys(index, keysOf(index, document).keys, record);
  removeRecord(collection.arena, record);
  collection.changed({ kind: 'remove', id: idKeyOf(document, false) });
  compactOnce(collection.arena);
}

/** Registers an index that is not built yet, or answers undefined when there is one like it. */
export function registerIndex(collection: Collection, spec: IndexDefinition): Index | undefined {
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
  insertEntries(index.tree, entriesOf(keys, record));
}

export function finishIndex(collection: Collection, index: Index): void {
  index.ready = true;
  collection.changed({ kind: 'createIndex', spec: index.spec });
}

export function dropIndex(collection: Collection, index: Index): void {
  collection.indexes = collection.indexes.filter((other) => other !== index);
  if (index.ready) collection.changed({ kind: 'dropIndex', name: index.spec.name });
}
