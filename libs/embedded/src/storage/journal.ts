import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../protocol/errors.ts';
import { type JournalEntry, encodeEntry, frameHeader } from './journal-format.ts';

/**
 * The append-only journal. An acknowledged entry has been handed to the operating system, so it survives the end of
 * this process, however that comes. It is brought to the disk every 100 ms, and before the answer when a write asks
 * for that with `j: true`.
 */
export interface Journal {
  append(entry: JournalEntry): void;
  written(toDisk: boolean): Promise<void>;
  /** Begins the next file and answers its number; everything so far is in files with lower numbers. */
  rotate(): number;
  bytes(): number;
  close(): void;
}

const SYNC_MS = 100;

export const journalPath = (directory: string, number: number): string => join(directory, `journal-${number}.log`);

/** Makes a new or removed name in a directory last. */
export function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

interface Open {
  file: number;
  number: number;
  bytes: number;
  dirty: boolean;
}

function createFile(directory: string, number: number): Open {
  const file = openSync(journalPath(directory, number), 'ax');
  syncDirectory(directory);
  return { file, number, bytes: 0, dirty: false };
}

function finishFile({ file }: Open): void {
  fdatasyncSync(file);
  closeSync(file);
}

/** Gathers entries and writes them as one frame; several writers that wait at the same time share one write. */
function createWriter(current: () => Open) {
  let pending: Buffer[] = [];
  let flushing: Promise<void> | undefined;
  let failure: Error | undefined;
  const flush = (): void => {
    flushing = undefined;
    if (pending.length === 0) return;
    const parts = [frameHeader(pending), ...pending];
    pending = [];
    try {
      writeAll(current().file, parts);
    } catch (error) {
      // From here on memory knows more than the journal: nothing may be acknowledged any more.
      failure = error as Error;
    }
    current().bytes += parts.reduce((sum, part) => sum + part.length, 0);
    current().dirty = true;
  };
  const schedule = (): Promise<void> => {
    flushing ??= new Promise((resolve) => {
      setImmediate(() => {
        flush();
        resolve();
      });
    });
    return flushing;
  };
  return {
    flush,
    add(entry: Buffer[]): void {
      for (const piece of entry) pending.push(piece);
      void schedule();
    },
    async written(): Promise<void> {
      if (pending.length > 0) await schedule();
      if (failure) throw new CommandError(1, `the journal cannot be written: ${failure.message}`);
    },
  };
}

export function openJournal(directory: string, first: number): Journal {
  let current = createFile(directory, first);
  const writer = createWriter(() => current);
  const syncing = sharedSync(() => current);
  const timer = setInterval(() => void syncing().catch(() => undefined), SYNC_MS);
  timer.unref();
  return {
    append: (entry) => writer.add(encodeEntry(entry)),
    async written(toDisk) {
      await writer.written();
      if (toDisk) await syncing();
    },
    rotate() {
      writer.flush();
      finishFile(current);
      current = createFile(directory, current.number + 1);
      return current.number;
    },
    bytes: () => current.bytes,
    close() {
      clearInterval(timer);
      writer.flush();
      finishFile(current);
    },
  };
}

export function writeAll(file: number, parts: Buffer[]): void {
  // The system takes at most 1024 pieces at once, and may take less than it is given.
  const whole = parts.length > 1000 ? [Buffer.concat(parts)] : parts;
  const total = whole.reduce((sum, part) => sum + part.length, 0);
  let written = writevSync(file, whole);
  if (written === total) return;
  const rest = Buffer.concat(whole);
  while (written < total) written += writevSync(file, [rest.subarray(written)]);
}

/** Waiters share a sync, but one that is already running may have begun before their write: they get the next. */
function sharedSync(file: () => Open): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const sync = (): Promise<void> => {
    const target = file();
    target.dirty = false;
    running = new Promise<void>((resolve, reject) => {
      fdatasync(target.file, (error) => {
        running = undefined;
        // A file that was rotated away meanwhile has been synced by that.
        if (error && error.code !== 'EBADF') reject(error);
        else resolve();
      });
    });
    return running;
  };
  return () => {
    // The running sync covers all writes before its start. A later write marks the file dirty again.
    if (!file().dirty) return running ?? Promise.resolve();
    if (!running) return sync();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return sync();
      });
    return next;
  };
}
