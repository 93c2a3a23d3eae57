import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../errors.ts';
import { FRAME_HEADER, type JournalEntry, encodeEntry, frameHeader } from './journal-format.ts';

/**
 * The append-only journal. What is acknowledged has been handed to the operating system, so it survives the end of
 * this process, however that comes. It is brought to the disk every 100 ms, and before the answer when a write asks
 * for that with `j: true`.
 */
export interface Journal {
  append(entry: JournalEntry): void;
  settled(toDisk: boolean): Promise<void>;
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

export function openJournal(directory: string, first: number): Journal {
  const create = (number: number): Open => {
    const file = openSync(journalPath(directory, number), 'ax');
    syncDirectory(directory);
    return { file, number, bytes: 0, dirty: false };
  };
  let current = create(first);
  let pending: Buffer[] = [];
  let flushing: Promise<void> | undefined;
  let failure: Error | undefined;

  const flush = (): void => {
    flushing = undefined;
    if (pending.length === 0) return;
    const parts = [frameHeader(pending), ...pending];
    pending = [];
    try {
      writeAll(current.file, parts);
    } catch (error) {
      // From here on memory knows more than the journal: nothing may be acknowledged any more.
      failure = error as Error;
    }
    current.bytes += parts.reduce((sum, part) => sum + part.length, 0) + FRAME_HEADER;
    current.dirty = true;
  };
  const assertSound = (): void => {
    if (failure) throw new CommandError(1, `the journal cannot be written: ${failure.message}`);
  };
  /** Several writers that wait at the same time share one write. */
  const scheduleFlush = (): Promise<void> => {
    flushing ??= new Promise((resolve) => {
      setImmediate(() => {
        flush();
        resolve();
      });
    });
    return flushing;
  };
  const syncing = sharedSync(() => current);
  const timer = setInterval(() => void (current.dirty && syncing().catch(() => undefined)), SYNC_MS);
  timer.unref();

  return {
    append: (entry) => {
      pending.push(encodeEntry(entry));
      void scheduleFlush();
    },
    async settled(toDisk) {
      if (pending.length > 0) await scheduleFlush();
      assertSound();
      if (toDisk && current.dirty) await syncing();
    },
    rotate() {
      flush();
      fdatasyncSync(current.file);
      closeSync(current.file);
      current = create(current.number + 1);
      return current.number;
    },
    bytes: () => current.bytes,
    close() {
      clearInterval(timer);
      flush();
      fdatasyncSync(current.file);
      closeSync(current.file);
    },
  };
}

function writeAll(file: number, parts: Buffer[]): void {
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
    const done = new Promise<void>((resolve, reject) => {
      fdatasync(target.file, (error) => {
        running = undefined;
        // A file that was rotated away meanwhile has been synced by that.
        if (error && error.code !== 'EBADF') reject(error);
        else resolve();
      });
    });
    running = done;
    return done;
  };
  return () => {
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
