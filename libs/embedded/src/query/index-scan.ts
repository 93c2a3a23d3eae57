import type { Operation } from '../operation.ts';
import { readRecord } from '../storage/arena.ts';
import type { Collection } from '../storage/collection.ts';
import type { Index } from '../storage/index.ts';
import { fullKey, lowerBound, seek } from '../storage/index-tree.ts';
import { compareBytes } from '../storage/key.ts';
import { type Leaf, leafCount, leafRecord } from '../storage/leaf.ts';
import { sliceIsOver } from '../operation.ts';
import type { Range } from './ranges.ts';
import { type Rows, Signal, noDocument } from './rows.ts';

export interface IndexScan {
  collection: Collection;
  index: Index;
  ranges: Range[];
  reverse: boolean;
  /** Set where one document can stand in the ranges more than once. */
  dedupe: boolean;
  /** False when only the keys are wanted, to count or to merge. */
  fetch: boolean;
  operation: Operation;
}

export interface IndexRows extends Rows {
  /** The full key of the current row. */
  key(): Buffer;
  /** Goes on behind a key, or from where the ranges begin. */
  resumeAfter(key: Buffer | undefined): void;
}

interface Place {
  leaf: Leaf;
  slot: number;
  /** The first slot outside the range, in the direction of the scan. */
  limit: number;
}

/** Walks the ranges of an index in order, or backwards from the end of the last one. */
export function scanIndex({ collection, index, ranges, reverse, dedupe, fetch, operation }: IndexScan): IndexRows {
  const { tree } = index;
  const step = reverse ? -1 : 1;
  const seen = dedupe ? new Set<number>() : undefined;
  let at = reverse ? ranges.length - 1 : 0;
  let place: Place | undefined;
  let current: { leaf: Leaf; slot: number } | undefined;
  let behind: Buffer | undefined;

  const enter = ({ start, end }: Range): Place => {
    if (reverse) {
      const probe = behind && compareBytes(behind, end) < 0 ? behind : end;
      const { leaf, slot } = seek(tree, probe);
      return { leaf, slot: slot - 1, limit: lowerBound(tree, leaf, start) - 1 };
    }
    const resumed = behind !== undefined && compareBytes(behind, start) >= 0;
    const { leaf, slot } = seek(tree, resumed ? (behind as Buffer) : start);
    const again =
      resumed && slot < leafCount(leaf) && compareBytes(fullKey(tree, { leaf, slot }), behind as Buffer) === 0;
    return { leaf, slot: again ? slot + 1 : slot, limit: lowerBound(tree, leaf, end) };
  };

  /** Moves to the next page, or says that the range is at its end. */
  const turn = (range: Range, { leaf, limit }: Place): boolean => {
    const next = reverse ? leaf.previous : leaf.next;
    const insidePage = reverse ? limit >= 0 : limit < leafCount(leaf);
    if (insidePage || !next) return false;
    place = reverse
      ? { leaf: next, slot: leafCount(next) - 1, limit: lowerBound(tree, next, range.start) - 1 }
      : { leaf: next, slot: 0, limit: lowerBound(tree, next, range.end) };
    return true;
  };

  const rows: IndexRows = {
    record: -1,
    document: noDocument,
    next() {
      for (;;) {
        if (sliceIsOver(operation)) return Signal.paused;
        const range = ranges[at];
        if (!range) return Signal.done;
        place ??= enter(range);
        if (reverse ? place.slot <= place.limit : place.slot >= place.limit) {
          if (turn(range, place)) continue;
          place = undefined;
          at += step;
          continue;
        }
        operation.keysExamined += 1;
        current = { leaf: place.leaf, slot: place.slot };
        place.slot += step;
        const record = leafRecord(current.leaf, current.slot);
        if (seen?.has(record)) continue;
        seen?.add(record);
        rows.record = record;
        if (!fetch) return Signal.row;
        operation.docsExamined += 1;
        rows.document = readRecord(collection.arena, record);
        return Signal.row;
      }
    },
    suspend() {
      if (current) behind = fullKey(tree, current);
      current = undefined;
      place = undefined;
    },
    key: () => fullKey(tree, current as { leaf: Leaf; slot: number }),
    resumeAfter(key) {
      behind = key;
      current = undefined;
      place = undefined;
    },
  };
  return rows;
}
