import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Catalog, type CatalogChange, dropCollection, findCollection, openCollection } from './catalog.ts';
import {
  deleteDocument,
  dropIndex,
  findById,
  finishIndex,
  indexRecord,
  insertDocument,
  registerIndex,
  updateDocument,
} from './collection.ts';
import { readFrames } from './frames.ts';
import { idKeyOf } from './id-order.ts';
import { type SessionEntry, decodeEntries } from './journal-format.ts';
import { type Journal, journalPath, openJournal, syncDirectory } from './journal.ts';
import { captureSnapshot, loadSnapshot, snapshotPath, writeSnapshot } from './snapshot.ts';

export interface Store {
  journal: Journal;
  /** Takes a snapshot when the journal has grown enough to make it worth while; one at a time. */
  snapshotIfDue(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionMemory {
  restore(entry: SessionEntry): void;
  all(): SessionEntry[];
}

const numbersOf = (directory: string, pattern: RegExp): number[] =>
  readdirSync(directory)
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);

/** Two servers on one directory would destroy it. The mark of a process that is gone does not count. */
function lock(directory: string): string {
  const path = join(directory, 'lock');
  if (existsSync(path)) {
    const owner = Number(readFileSync(path, 'utf8'));
    if (owner !== process.pid && isAlive(owner)) throw new Error(`${directory} is in use by process ${owner}`);
  }
  writeFileSync(path, String(process.pid));
  return path;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Does a change again that is in the journal. Putting is by `_id`, so doing it twice does no harm. */
function replay(catalog: Catalog, change: CatalogChange): void {
  if (change.kind === 'create') return void openCollection(catalog, change.database, change.collection);
  const collection = findCollection(catalog, change.database, change.collection);
  if (!collection) return;
  if (change.kind === 'drop') return dropCollection(catalog, collection);
  if (change.kind === 'put') {
    const record = findById(collection, idKeyOf(change.document, false));
    if (record < 0) insertDocument(collection, change.document);
    else updateDocument(collection, record, change.document);
  } else if (change.kind === 'remove') {
    const record = findById(collection, change.id);
    if (record >= 0) deleteDocument(collection, record);
  } else if (change.kind === 'createIndex') {
    const index = registerIndex(collection, change.spec);
    if (!index) return;
    for (let record = 0; record < collection.arena.end; record += 1) indexRecord(collection, index, record);
    finishIndex(collection, index);
  } else {
    const index = collection.indexes.find(({ spec }) => spec.name === change.name);
    if (index) dropIndex(collection, index);
  }
}

/** Brings back what was there: the newest snapshot, then every journal after it. Answers the next free number. */
function recover(directory: string, catalog: Catalog, sessions: SessionMemory): number {
  const base = numbersOf(directory, /^snapshot-(\d+)\.bin$/).at(-1) ?? 0;
  if (base > 0) {
    const file = openSync(snapshotPath(directory, base), 'r');
    loadSnapshot(file, catalog, sessions.restore);
    closeSync(file);
  }
  const journals = numbersOf(directory, /^journal-(\d+)\.log$/).filter((number) => number >= base);
  for (const number of journals) {
    const file = openSync(journalPath(directory, number), 'r+');
    const { end, torn } = readFrames(file, (payload) => {
      for (const entry of decodeEntries(payload)) {
        if (entry.kind === 'session') sessions.restore(entry);
        else replay(catalog, entry);
      }
    });
    // Only the journal that was being written when the process ended may end in the middle of a frame.
    if (torn && number !== journals.at(-1)) throw new Error(`${journalPath(directory, number)} is damaged at ${end}`);
    if (torn) ftruncateSync(file, end);
    closeSync(file);
  }
  return Math.max(base, journals.at(-1) ?? 0) + 1;
}

function removeOlder(directory: string, number: number): void {
  for (const old of numbersOf(directory, /^journal-(\d+)\.log$/)) if (old < number) rmSync(journalPath(directory, old));
  for (const old of numbersOf(directory, /^snapshot-(\d+)\.bin$/))
    if (old < number) rmSync(snapshotPath(directory, old));
  syncDirectory(directory);
}

const LEAST_BYTES = 16 * 1024 * 1024;
const ON_CLOSE_BYTES = 4 * 1024 * 1024;

/** Opens a directory, brings its contents into the catalog, and from then on keeps what happens to it. */
export function openStore(directory: string, catalog: Catalog, sessions: SessionMemory): Store {
  mkdirSync(directory, { recursive: true });
  const mark = lock(directory);
  const started = recover(directory, catalog, sessions);
  const journal = openJournal(directory, started);
  catalog.changed = (change) => journal.append(change);
  let newest = numbersOf(directory, /^snapshot-(\d+)\.bin$/).at(-1) ?? 0;
  const replayed = numbersOf(directory, /^journal-(\d+)\.log$/).map(
    (number) => statSync(journalPath(directory, number)).size,
  );
  let inherited = replayed.reduce((sum, size) => sum + size, 0);
  let running: Promise<void> | undefined;

  const take = async (): Promise<void> => {
    const number = journal.rotate();
    await writeSnapshot(directory, number, captureSnapshot(catalog, sessions.all()));
    removeOlder(directory, number);
    newest = number;
    inherited = 0;
  };
  const snapshotBytes = (): number => (newest > 0 ? statSync(snapshotPath(directory, newest)).size : 0);
  const grown = (least: number): boolean => journal.bytes() + inherited > least;

  return {
    journal,
    async snapshotIfDue() {
      if (running || !grown(Math.max(LEAST_BYTES, snapshotBytes() / 8))) return;
      running = take();
      try {
        await running;
      } finally {
        running = undefined;
      }
    },
    async close() {
      await running;
      if (grown(ON_CLOSE_BYTES)) await take();
      journal.close();
      rmSync(mark, { force: true });
    },
  };
}
