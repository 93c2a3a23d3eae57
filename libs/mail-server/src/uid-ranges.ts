/** UIDs from the first to the last. A folder of a million messages is a few ranges. */
export interface UidRange {
  first: number;
  last: number;
}

/** Sorted UIDs without repeats, as ranges. */
export function toRanges(uids: readonly number[]): UidRange[] {
  const ranges: UidRange[] = [];
  for (const uid of uids.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && uid <= last.last + 1) last.last = uid;
    else ranges.push({ first: uid, last: uid });
  }
  return ranges;
}

export function fromRanges(ranges: readonly UidRange[]): number[] {
  return ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
}

/** Sorted ranges that do not touch each other. A sender may give them in any order. */
export function mergedRanges(ranges: readonly UidRange[]): UidRange[] {
  const merged: UidRange[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else if (first <= last) merged.push({ first, last });
  }
  return merged;
}

/** The UIDs in these ranges that are not in a sorted list. */
export function without(ranges: readonly UidRange[], uids: readonly number[]): UidRange[] {
  const left: UidRange[] = [];
  let next = 0;
  for (const { first, last } of ranges) {
    let from = first;
    while (next < uids.length && (uids[next] as number) < first) next += 1;
    for (; next < uids.length && (uids[next] as number) <= last; next += 1) {
      const uid = uids[next] as number;
      if (uid > from) left.push({ first: from, last: uid - 1 });
      from = uid + 1;
    }
    if (from <= last) left.push({ first: from, last });
  }
  return left;
}

export function holds(ranges: readonly UidRange[], uid: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { first, last } = ranges[middle] as UidRange;
    if (uid < first) high = middle - 1;
    else if (uid > last) low = middle + 1;
    else return true;
  }
  return false;
}
