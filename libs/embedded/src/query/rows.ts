import type { Collection } from '../storage/collection.ts';
import { hasRecord, readRecord } from '../storage/arena.ts';
import { type Operation, breathe, sliceIsOver } from '../protocol/operation.ts';
import type { Matcher } from '../filter/matcher.ts';

/** The result of one scan step. `paused`: the time slice is over, so call again after `breathe`. */
export const Signal = { row: 0, done: 1, paused: 2 } as const;
export type Signal = (typeof Signal)[keyof typeof Signal];

/**
 * A stream of documents, read step by step. After `Signal.row` the row is in `record` and `document`. It is a
 * plain function call a row, not an async iterator, because a promise for every document would cost more than the
 * document. `suspend` is called before anything else may change the collection.
 */
export interface Rows {
  next(): Signal;
  suspend(): void;
  record: number;
  document: Buffer;
}

export const noDocument = Buffer.alloc(0);

export async function nextRow(rows: Rows, operation: Operation): Promise<boolean> {
  for (;;) {
    const signal = rows.next();
    if (signal === Signal.row) return true;
    if (signal === Signal.done) return false;
    rows.suspend();
    await breathe(operation);
  }
}

export function emptyRows(): Rows {
  return { record: -1, document: noDocument, suspend: () => undefined, next: () => Signal.done };
}

export function oneRow(document: Buffer): Rows {
  let given = false;
  const next = (): Signal => {
    if (given) return Signal.done;
    given = true;
    return Signal.row;
  };
  return { record: -1, document, suspend: () => undefined, next };
}

export function scanCollection({ arena }: Collection, operation: Operation): Rows {
  let record = -1;
  const rows: Rows = {
    record,
    document: noDocument,
    suspend: () => undefined,
    next() {
      while (record + 1 < arena.end) {
        if (sliceIsOver(operation)) return Signal.paused;
        record += 1;
        if (!hasRecord(arena, record)) continue;
        operation.docsExamined += 1;
        rows.record = record;
        rows.document = readRecord(arena, record);
        return Signal.row;
      }
      return Signal.done;
    },
  };
  return rows;
}

/** Rows derived from others one by one; `step` says of each row whether it stays. */
function derived(source: Rows, step: (rows: Rows) => Signal): Rows {
  const rows: Rows = {
    record: -1,
    document: noDocument,
    suspend: () => source.suspend(),
    next: () => step(rows),
  };
  return rows;
}

function take(rows: Rows, source: Rows): Signal {
  rows.record = source.record;
  rows.document = source.document;
  return Signal.row;
}

export function filterRows(source: Rows, matches: Matcher): Rows {
  return derived(source, (rows) => {
    for (;;) {
      const signal = source.next();
      if (signal !== Signal.row) return signal;
      if (matches(source.document)) return take(rows, source);
    }
  });
}

export function skipRows(source: Rows, count: number): Rows {
  let left = count;
  return derived(source, (rows) => {
    for (;;) {
      const signal = source.next();
      if (signal !== Signal.row) return signal;
      if (left === 0) return take(rows, source);
      left -= 1;
    }
  });
}

export function limitRows(source: Rows, count: number): Rows {
  let left = count;
  return derived(source, (rows) => {
    if (left === 0) return Signal.done;
    const signal = source.next();
    if (signal !== Signal.row) return signal;
    left -= 1;
    return take(rows, source);
  });
}

export function mapRows(source: Rows, change: (document: Buffer) => Buffer): Rows {
  return derived(source, (rows) => {
    const signal = source.next();
    if (signal !== Signal.row) return signal;
    rows.record = source.record;
    rows.document = change(source.document);
    return Signal.row;
  });
}

/** One after the other, each document once. */
export function unionRows(sources: Rows[]): Rows {
  const seen = new Set<number>();
  let at = 0;
  const rows: Rows = {
    record: -1,
    document: noDocument,
    suspend: () => sources[at]?.suspend(),
    next() {
      for (let source = sources[at]; source; source = sources[at]) {
        const signal = source.next();
        if (signal === Signal.paused) return signal;
        if (signal === Signal.done) {
          at += 1;
          continue;
        }
        if (seen.has(source.record)) continue;
        seen.add(source.record);
        return take(rows, source);
      }
      return Signal.done;
    },
  };
  return rows;
}
