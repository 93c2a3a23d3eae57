import type { Operation } from '../protocol/operation.ts';
import { readRecord } from '../storage/arena.ts';
import type { Collection } from '../storage/collection.ts';
import { compareBytes } from '../bson/key.ts';
import type { IndexRows } from './index-scan.ts';
import { type Rows, Signal, noDocument } from './rows.ts';

/** One stream of a merge: the rows that share the first fields of the index, in the order of the fields after them. */
interface Stream {
  rows: IndexRows;
  /** Length of the key of the shared fields. */
  prefix: number;
}

interface Head extends Stream {
  ready: boolean;
  done: boolean;
  order: Buffer;
  consumed: Buffer | undefined;
}

/**
 * Merges streams that are sorted by the rest of their keys, so that `{ folder: { $in: [...] } }` sorted by date reads
 * no more documents than it gives out.
 */
export function mergeRows(
  collection: Collection,
  streams: Stream[],
  reverse: boolean,
  dedupe: boolean,
  operation: Operation,
): Rows {
  const heads: Head[] = streams.map((stream) => ({
    ...stream,
    ready: false,
    done: false,
    order: noDocument,
    consumed: undefined,
  }));
  const seen = dedupe ? new Set<number>() : undefined;
  const sign = reverse ? -1 : 1;

  const rows: Rows = {
    record: -1,
    document: noDocument,
    next() {
      for (;;) {
        let best: Head | undefined;
        for (const head of heads) {
          if (!fill(head)) return Signal.paused;
          if (head.ready && (!best || compareBytes(head.order, best.order) * sign < 0)) best = head;
        }
        if (!best) return Signal.done;
        best.ready = false;
        best.consumed = best.rows.key();
        const { record } = best.rows;
        if (seen?.has(record)) continue;
        seen?.add(record);
        operation.docsExamined += 1;
        rows.record = record;
        rows.document = readRecord(collection.arena, record);
        return Signal.row;
      }
    },
    suspend() {
      // Rows that were looked at but not given out yet are read again, since they may change meanwhile.
      for (const head of heads) {
        head.rows.resumeAfter(head.consumed);
        head.ready = false;
      }
    },
  };
  return rows;
}

/** Reads the next row of a stream, unless it has one. False when the stream paused. */
function fill(head: Head): boolean {
  if (head.ready || head.done) return true;
  const signal = head.rows.next();
  if (signal === Signal.paused) return false;
  head.done = signal === Signal.done;
  head.ready = !head.done;
  if (head.ready) head.order = head.rows.key().subarray(head.prefix);
  return true;
}
