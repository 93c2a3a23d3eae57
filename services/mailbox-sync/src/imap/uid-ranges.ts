import type { UidRange } from '@postroom/proto/postroom/v1/mailbox_write';

/** A folder of a million messages is a few ranges, and a long list of numbers. */
export function toRanges(uids: readonly number[]): UidRange[] {
  const ranges: UidRange[] = [];
  for (const uid of [...uids].sort((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range && uid <= range.last + 1) range.last = uid;
    else ranges.push({ first: uid, last: uid });
  }
  return ranges;
}

export function fromRanges(ranges: readonly UidRange[]): number[] {
  return ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
}
