import { type Catalog, type CatalogChange, dropCollection, findCollection, openCollection } from './catalog.ts';
import {
  type Collection,
  deleteDocument,
  dropIndex,
  findById,
  finishIndex,
  indexRecord,
  insertDocuments,
  registerIndex,
  updateDocument,
} from './collection.ts';
import { idKeyOf } from './id-order.ts';
import type { JournalEntry, SessionEntry } from './journal-format.ts';
import { textOf } from '../bson/key.ts';

export interface SessionMemory {
  restore(entry: SessionEntry): void;
  all(): SessionEntry[];
}

type Written = Exclude<CatalogChange, { kind: 'create' | 'drop' }>;

/** New documents of one collection that have not gone in yet. */
interface Waiting {
  collection: Collection | undefined;
  documents: Buffer[];
  ids: Set<string>;
}

/** Does again what one frame of the journal says. Documents that are new go in together, as they once did. */
export function replay(catalog: Catalog, sessions: SessionMemory, entries: Iterable<JournalEntry>): void {
  const waiting: Waiting = { collection: undefined, documents: [], ids: new Set() };
  for (const entry of entries) {
    if (entry.kind === 'session') {
      sessions.restore(entry);
      continue;
    }
    if (entry.kind === 'put' && waits(catalog, waiting, entry)) continue;
    insertWaiting(waiting);
    replayChange(catalog, entry);
  }
  insertWaiting(waiting);
}

/** Whether a document is put off until others of its kind have come. */
function waits(catalog: Catalog, waiting: Waiting, { database, collection: name, document }: PutEntry): boolean {
  const collection = findCollection(catalog, database, name);
  if (!collection) return true;
  if (collection !== waiting.collection) insertWaiting(waiting);
  waiting.collection = collection;
  const id = idKeyOf(document, false);
  if (waiting.ids.has(textOf(id)) || findById(collection, id) >= 0) return false;
  waiting.documents.push(document);
  waiting.ids.add(textOf(id));
  return true;
}

type PutEntry = Extract<JournalEntry, { kind: 'put' }>;

function insertWaiting(waiting: Waiting): void {
  const outcomes = waiting.collection ? insertDocuments(waiting.collection, waiting.documents) : [];
  const refused = outcomes.find((outcome) => outcome instanceof Error);
  if (refused) throw refused;
  waiting.documents = [];
  waiting.ids.clear();
}

function replayChange(catalog: Catalog, change: CatalogChange): void {
  if (change.kind === 'create') return void openCollection(catalog, change.database, change.collection);
  const collection = findCollection(catalog, change.database, change.collection);
  if (!collection) return;
  if (change.kind === 'drop') return dropCollection(catalog, collection);
  replayWrite(collection, change);
}

/** Each of these may be done twice and does no harm: the snapshot may know it already. */
function replayWrite(collection: Collection, change: Written): void {
  switch (change.kind) {
    case 'put':
      return updateDocument(collection, findById(collection, idKeyOf(change.document, false)), change.document);
    case 'remove': {
      const record = findById(collection, change.id);
      if (record >= 0) deleteDocument(collection, record);
      return;
    }
    case 'createIndex': {
      const index = registerIndex(collection, change.spec);
      if (!index) return;
      for (let record = 0; record < collection.arena.end; record += 1) indexRecord(collection, index, record);
      return finishIndex(collection, index);
    }
    case 'dropIndex': {
      const index = collection.indexes.find(({ spec }) => spec.name === change.name);
      if (index) dropIndex(collection, index);
    }
  }
}
