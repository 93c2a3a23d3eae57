import type { RawValue } from '../bson/raw.ts';
import { type Operation, breathe, sliceIsOver } from '../protocol/operation.ts';
import type { Filter } from '../filter/ast.ts';
import { compileMatcher } from '../filter/matcher.ts';
import { openQuery } from '../query/query.ts';
import { nextRow } from '../query/rows.ts';
import type { SortField } from '../query/sort.ts';
import { hasRecord, readRecord } from '../storage/arena.ts';
import type { Collection } from '../storage/collection.ts';

interface UpdateTarget {
  collection: Collection;
  filter: Filter;
  sort: SortField[];
  hint: RawValue | undefined;
  multi: boolean;
  operation: Operation;
}

/**
 * Finds the documents of a write and changes them. A search may pause, and then others write: right before a change,
 * in the same turn, the document is matched again. A single write that lost its document that way searches again.
 * `change` is called with the record; the answer is how many it was called for.
 */
export async function changeMatching(target: UpdateTarget, change: (record: number) => void): Promise<number> {
  const matches = compileMatcher(target.filter);
  const holds = (record: number): boolean =>
    hasRecord(target.collection.arena, record) && matches(readRecord(target.collection.arena, record));
  if (target.multi) return changeAll(target, holds, change);
  for (;;) {
    const [record] = await search(target, 1);
    if (record === undefined) return 0;
    if (!holds(record)) continue;
    change(record);
    return 1;
  }
}

async function search(
  { collection, filter, sort, hint, operation }: UpdateTarget,
  limit: number | undefined,
): Promise<number[]> {
  const { rows } = openQuery({ collection, filter, sort, skip: 0, limit, hint, operation });
  const records: number[] = [];
  while ((limit === undefined || records.length < limit) && (await nextRow(rows, operation))) records.push(rows.record);
  return records;
}

/** All are found before the first is changed, or a change that moves a document in the index would meet it again. */
async function changeAll(
  target: UpdateTarget,
  holds: (record: number) => boolean,
  change: (record: number) => void,
): Promise<number> {
  let changed = 0;
  for (const record of await search(target, undefined)) {
    if (sliceIsOver(target.operation)) await breathe(target.operation);
    if (!holds(record)) continue;
    change(record);
    changed += 1;
  }
  return changed;
}
