import type { Index } from '../storage/document-index.ts';
import { textOf } from '../bson/key.ts';
import type { Range } from './ranges.ts';
import type { SortField } from './sort.ts';

/** A sort order that an index gives: it is read forwards or backwards, as one stream or as several to merge. */
export interface Order {
  reverse: boolean;
  /** Ranges by their first fields; each group is in order by itself. */
  groups: { ranges: Range[]; prefix: number }[];
}

const MAX_GROUPS = 200;

const prefixOf = (range: Range, fields: number): number => (fields === 0 ? 0 : (range.points[fields - 1] as number));

function groupBy(ranges: Range[], fields: number): Order['groups'] {
  const groups = new Map<string, Order['groups'][number]>();
  for (const range of ranges) {
    const prefix = prefixOf(range, fields);
    const key = textOf(range.start.subarray(0, prefix));
    const group = groups.get(key) ?? { ranges: [], prefix };
    group.ranges.push(range);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The fields of an index that have one and the same value in all ranges; sorting by them changes nothing. */
function constantFields(index: Index, ranges: Range[], fixed: number): boolean[] {
  return index.fields.map((_, i) => {
    if (i >= fixed || index.multikey[i]) return false;
    return (
      new Set(ranges.map((range) => textOf(range.start.subarray(prefixOf(range, i), prefixOf(range, i + 1))))).size <= 1
    );
  });
}

/** Direction in which the fields from `from` on give the sort order; undefined when they do not. */
function directionFrom(index: Index, constant: boolean[], sort: SortField[], from: number): boolean | undefined {
  let reverse: boolean | undefined;
  let at = from;
  for (const { path, descending } of sort) {
    const known = index.fields.findIndex((field) => field.path.text === path.text);
    if (known >= 0 && constant[known]) continue;
    while (constant[at]) at += 1;
    const field = index.fields[at];
    if (!field || field.path.text !== path.text || index.multikey[at]) return undefined;
    const backwards = field.descending !== descending;
    if (reverse !== undefined && reverse !== backwards) return undefined;
    reverse = backwards;
    at += 1;
  }
  return reverse ?? false;
}

/** Whether, and how, reading these ranges gives the order that was asked for. */
export function orderOfRanges(index: Index, ranges: Range[], sort: SortField[]): Order | undefined {
  if (sort.length === 0) return { reverse: false, groups: [{ ranges, prefix: 0 }] };
  const fixed = ranges.length > 0 ? Math.min(...ranges.map((range) => range.points.length)) : 0;
  const constant = constantFields(index, ranges, fixed);
  for (let fields = 0; fields <= fixed; fields += 1) {
    const reverse = directionFrom(index, constant, sort, fields);
    if (reverse === undefined) continue;
    const groups = groupBy(ranges, fields);
    return groups.length <= MAX_GROUPS ? { reverse, groups } : undefined;
  }
  return undefined;
}
