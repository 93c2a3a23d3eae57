import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { readLength } from '../bson/raw.ts';
import { decodeDocument, decodePlain, encodeDocument } from '../bson/value.ts';
import { putRecord } from './arena.ts';
import { type Catalog, openCollection } from './catalog.ts';
import type { Collection } from './collection.ts';
import { readFrames } from './frames.ts';
import { createIndex, type Index } from './document-index.ts';
import { describeIndex, parseIndexSpec } from './index-spec.ts';
import { type SessionEntry, decodeEntries, encodeEntry, frameHeader } from './journal-format.ts';
import { syncDirectory, writeAll } from './journal.ts';
import { captureLeaves, restoreLeaves } from './tree-image.ts';

/**
 * A snapshot is the documents with their record numbers and the pages of all indexes, so that reading it back is
 * little more than reading a file. It is a file of frames like the journal; the first byte of a frame says what it has.
 */
const Kind = { collection: 1, documents: 2, pages: 3, sessions: 4, end: 5 } as const;
const BLOCK = 256 * 1024;

export const snapshotPath = (directory: string, number: number): string => join(directory, `snapshot-${number}.bin`);

type Block = () => Buffer[];

function* documentBlocks({ arena }: Collection): Generator<Block> {
  // The places as they are now; the bytes they point to never change.
  const chunks = arena.chunks.map((chunk) => chunk?.bytes);
  const chunkOf = arena.chunkOf.slice(0, arena.end);
  const offsetOf = arena.offsetOf.slice(0, arena.end);
  let record = 0;
  const next = (): Buffer[] => {
    const parts: Buffer[] = [Buffer.from([Kind.documents])];
    for (let size = 0; record < chunkOf.length && size < BLOCK && parts.length < 900; record += 1) {
      const chunk = chunks[(chunkOf[record] as number) - 1];
      if (!chunk) continue;
      const start = offsetOf[record] as number;
      const document = chunk.subarray(start, start + readLength(chunk, start));
      const number = Buffer.allocUnsafe(4);
      number.writeUInt32LE(record);
      parts.push(number, document);
      size += document.length;
    }
    return parts;
  };
  yield () => [];
  while (record < chunkOf.length) yield next;
}

function* pageBlocks(position: number, pages: Buffer[]): Generator<Block> {
  // Pages are let go as they are written: those that have been changed meanwhile exist twice until then.
  while (pages.length > 0) {
    yield () => {
      const parts: Buffer[] = [Buffer.from([Kind.pages, position])];
      for (const page of pages.splice(0, 60)) {
        const size = Buffer.allocUnsafe(4);
        size.writeUInt32LE(page.length);
        parts.push(size, page);
      }
      return parts;
    };
  }
}

function describe(collection: Collection, indexes: Index[]): Buffer {
  const { database, name } = collection;
  return encodeDocument({
    database,
    name,
    indexes: indexes.map((index) => ({ spec: describeIndex(index.spec), multikey: index.multikey })),
  });
}

/** Captures everything in this iteration of the event loop; the blocks are made later, one by one. */
export function captureSnapshot(catalog: Catalog, sessions: SessionEntry[]): Generator<Block>[] {
  const parts: Generator<Block>[] = [];
  for (const collection of catalog.collections.values()) {
    const indexes = collection.indexes.filter((index) => index.ready);
    const head = [Buffer.from([Kind.collection]), describe(collection, indexes)];
    const documents = documentBlocks(collection);
    // The first step copies the list of places.
    documents.next();
    const pages = indexes.map((index) => captureLeaves(index.tree));
    parts.push(once(head), documents, ...pages.map((list, position) => pageBlocks(position, list)));
  }
  parts.push(once([Buffer.from([Kind.sessions]), ...sessions.flatMap(encodeEntry)]), once([Buffer.from([Kind.end])]));
  return parts;
}

function* once(parts: Buffer[]): Generator<Block> {
  yield () => parts;
}

/** Writes a captured snapshot, with a breath between the blocks. It has its name only when it is whole and on disk. */
export async function writeSnapshot(directory: string, number: number, parts: Generator<Block>[]): Promise<void> {
  const draft = join(directory, 'snapshot.tmp');
  const file = openSync(draft, 'w');
  for (const part of parts) {
    for (const block of part) {
      const pieces = block();
      if (pieces.length === 0) continue;
      writeAll(file, [frameHeader(pieces), ...pieces]);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, snapshotPath(directory, number));
  syncDirectory(directory);
}

interface Restoring {
  collection: Collection;
  pages: Buffer[][];
}

function beginCollection(catalog: Catalog, payload: Buffer): Restoring {
  const { database, name, indexes } = decodePlain(payload.subarray(1));
  const specs = (decodeDocument(payload.subarray(1))['indexes'] as { spec: Record<string, unknown> }[]).map(
    ({ spec }) => spec,
  );
  const collection = openCollection(catalog, database, name);
  collection.indexes = specs.map((spec, i) => {
    const index = createIndex(
      i === 0 ? (collection.indexes[0] as Index).spec : parseIndexSpec(encodeDocument(spec)),
      collection.arena,
    );
    index.multikey = indexes[i].multikey;
    return index;
  });
  return { collection, pages: specs.map(() => []) };
}

function readDocuments({ collection }: Restoring, payload: Buffer): void {
  for (let at = 1; at < payload.length;) {
    const size = readLength(payload, at + 4);
    putRecord(collection.arena, payload.readUInt32LE(at), payload.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
}

function readPages({ pages }: Restoring, payload: Buffer): void {
  for (let at = 2; at < payload.length;) {
    const size = payload.readUInt32LE(at);
    const page = Buffer.allocUnsafeSlow(size);
    payload.copy(page, 0, at + 4, at + 4 + size);
    pages[payload[1] as number]?.push(page);
    at += 4 + size;
  }
}

function finishCollection({ collection, pages }: Restoring): void {
  const { arena } = collection;
  for (let record = 0; record < arena.end; record += 1) if (arena.chunkOf[record] === 0) arena.free.push(record);
  collection.indexes.forEach((index, i) => restoreLeaves(index.tree, pages[i] as Buffer[]));
}

/** Reads a snapshot back. A snapshot that is named has been written whole, so anything else is damage. */
export function loadSnapshot(file: number, catalog: Catalog, onSession: (entry: SessionEntry) => void): void {
  let current: Restoring | undefined;
  let ended = false;
  readFrames(file, (payload) => {
    const kind = payload[0];
    if (kind !== Kind.documents && kind !== Kind.pages && current) {
      finishCollection(current);
      current = undefined;
    }
    if (kind === Kind.collection) current = beginCollection(catalog, payload);
    if (kind === Kind.documents) readDocuments(current as Restoring, payload);
    if (kind === Kind.pages) readPages(current as Restoring, payload);
    if (kind === Kind.sessions)
      for (const entry of decodeEntries(payload.subarray(1))) onSession(entry as SessionEntry);
    if (kind === Kind.end) ended = true;
  });
  if (!ended) throw new Error('the snapshot is damaged');
}
