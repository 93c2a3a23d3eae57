import type { Operation } from '../protocol/operation.ts';
import { readRecord } from '../storage/arena.ts';
import type { Collection } from '../storage/collection.ts';
import type { Index } from '../storage/document-index.ts';
import { type TreePosition, fullKey, seek } from '../storage/index-tree.ts';
import { compareBytes } from '../bson/key.ts';
import { type Leaf, leafCount, leafRecord, lowerBound } from '../storage/leaf.ts';
import { sliceIsOver } from '../protocol/operation.ts';
import type { Range } from './ranges.ts';
import { type Rows, Signal, noDocument } from './rows.ts';

interface IndexScan {
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

interface ScanPosition {
  leaf: Leaf;
  slot: number;
  /** The first slot outside the range, in the direction of the scan. */
  limit: number;
}

/** Where a range begins, in the direction of the scan, or where it goes on behind a key. */
function enter(
  { index: { tree }, reverse }: IndexScan,
  { start, end }: Range,
  behind: Buffer | undefined,
): ScanPosition {
  if (reverse) {
    const probe = behind && compareBytes(behind, end) < 0 ? behind : end;
    const { leaf, slot } = seek(tree, probe);
    return { leaf, slot: slot - 1, limit: lowerBound(tree.ids, leaf, start) - 1 };
  }
  const resumed = behind && compareBytes(behind, start) >= 0 ? behind : undefined;
  const { leaf, slot } = seek(tree, resumed ?? start);
  const again = resumed && slot < leafCount(leaf) && compareBytes(fullKey(tree, { leaf, slot }), resumed) === 0;
  return { leaf, slot: again ? slot + 1 : slot, limit: lowerBound(tree.ids, leaf, end) };
}

/** The next page of a range; undefined when the range ends in this one. */
function nextLeaf(
  { index: { tree }, reverse }: IndexScan,
  range: Range,
  { leaf, limit }: ScanPosition,
): ScanPosition | undefined {
  const next = reverse ? leaf.previous : leaf.next;
  const endsHere = reverse ? limit >= 0 : limit < leafCount(leaf);
  if (endsHere || !next) return undefined;
  if (reverse) return { leaf: next, slot: leafCount(next) - 1, limit: lowerBound(tree.ids, next, range.start) - 1 };
  return { leaf: next, slot: 0, limit: lowerBound(tree.ids, next, range.end) };
}

/** Walks the ranges of an index in order, or backwards from the end of the last one. */
export function scanIndex(scan: IndexScan): IndexRows {
  const { collection, index, ranges, reverse, dedupe, fetch, operation } = scan;
  const { tree } = index;
  const step = reverse ? -1 : 1;
  const seen = dedupe ? new Set<number>() : undefined;
  let at = reverse ? ranges.length - 1 : 0;
  let position: ScanPosition | undefined;
  let current: TreePosition | undefined;
  let behind: Buffer | undefined;

  const resumeAfter = (key: Buffer | undefined): void => {
    behind = key;
    current = undefined;
    position = undefined;
  };
  const rows: IndexRows = {
    record: -1,
    document: noDocument,
    next() {
      for (;;) {
        if (sliceIsOver(operation)) return Signal.paused;
        const range = ranges[at];
        if (!range) return Signal.done;
        position ??= enter(scan, range, behind);
        if (reverse ? position.slot <= position.limit : position.slot >= position.limit) {
          position = nextLeaf(scan, range, position);
          if (!position) at += step;
          continue;
        }
        operation.keysExamined += 1;
        current = { leaf: position.leaf, slot: position.slot };
        position.slot += step;
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
    suspend: () => resumeAfter(current ? fullKey(tree, current) : behind),
    key: () => fullKey(tree, current as TreePosition),
    resumeAfter,
  };
  return rows;
}
