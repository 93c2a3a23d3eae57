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
import type { Catalog } from './catalog.ts';
import { readFrames } from './frames.ts';
import { decodeEntries } from './journal-format.ts';
import { type Journal, journalPath, openJournal, syncDirectory } from './journal.ts';
import { replay, type SessionMemory } from './replay.ts';
import { captureSnapshot, loadSnapshot, snapshotPath, writeSnapshot } from './snapshot.ts';

export interface Store {
  journal: Journal;
  /** Takes a snapshot when the journal has grown enough to make it worth while; one at a time. */
  snapshotIfDue(): Promise<void>;
  close(): Promise<void>;
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
    const { end, torn } = readFrames(file, (payload) => replay(catalog, sessions, decodeEntries(payload)));
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
