import type { Index, IndexField } from '../storage/document-index.ts';
import { compareBytes, invert } from '../bson/key.ts';
import type { Test } from '../filter/ast.ts';
import { type Bounds, type Edge, type Interval, boundsOf, intersect, isPoint } from './bounds.ts';
import { type Branch, testsOn } from './branches.ts';

/** A stretch of an index, from `start` up to and without `end`. */
export interface Range {
  start: Buffer;
  end: Buffer;
  /** The ends in `start` of the keys of the leading fields that have one value in this range. */
  points: number[];
}

export interface Bounded {
  ranges: Range[];
  /** The number of index fields that narrow the ranges. */
  fields: number;
  /** True when every condition of the branch is proved by the ranges. */
  exact: boolean;
}

const MAX_PREFIXES = 20_000;

/** Above every key that goes on from here: a value begins with its class, and no class, inverted or not, is FF. */
const ABOVE = Buffer.from([0xff, 0xff]);

function flip({ value, after }: Edge): Edge {
  const bytes = Buffer.from(value);
  invert(bytes, 0, bytes.length);
  return { value: bytes, after: !after };
}

function directed(intervals: Interval[], { descending }: IndexField): Interval[] {
  if (!descending) return intervals;
  return intervals.map(({ low, high }) => ({ low: flip(high), high: flip(low) })).toReversed();
}

const position = (prefix: Buffer, { value, after }: Edge): Buffer =>
  Buffer.concat(after ? [prefix, value, ABOVE] : [prefix, value]);

interface Chosen {
  intervals: Interval[];
  proved: Test[];
}

/** Bounds of one field. Where documents have arrays two conditions may hold for two elements: only one can be used. */
function chooseBounds(tests: Test[], multikey: boolean, choice: Test | undefined): Chosen | undefined {
  const known = tests.flatMap((test): { test: Test; bounds: Bounds }[] => {
    const bounds = boundsOf(test);
    return bounds ? [{ test, bounds }] : [];
  });
  const [first] = known;
  if (!first) return undefined;
  const proves = ({ bounds }: { bounds: Bounds }): boolean =>
    bounds.exact === 'always' || (bounds.exact === 'unlessArrays' && !multikey);
  if (!multikey) {
    const intervals = known.map(({ bounds }) => bounds.intervals).reduce((a, b) => intersect(a, b));
    return { intervals, proved: known.filter(proves).map(({ test }) => test) };
  }
  const chosen = known.find(({ test }) => test === choice);
  const weight = ({ bounds }: { bounds: Bounds }): number =>
    bounds.intervals.every(isPoint) ? bounds.intervals.length : Infinity;
  const best = chosen ?? known.reduce((a, b) => (weight(b) < weight(a) ? b : a), first);
  return { intervals: best.bounds.intervals, proved: proves(best) ? [best.test] : [] };
}

interface Prefix {
  bytes: Buffer;
  points: number[];
}

/** The ranges of an index in which everything lies that a branch may hold for; `choice` is the condition to prefer. */
export function boundBranch(index: Index, branch: Branch, choice?: Test): Bounded {
  let prefixes: Prefix[] = [{ bytes: Buffer.alloc(0), points: [] }];
  const proved = new Set<Test>();
  let fields = 0;
  const exact = (): boolean => branch.every((part) => part.kind === 'test' && proved.has(part.test));
  for (const [i, field] of index.fields.entries()) {
    const chosen = chooseBounds(testsOn(branch, field.path.text), index.multikey[i] ?? false, choice);
    if (!chosen || prefixes.length * chosen.intervals.length > MAX_PREFIXES) break;
    fields += 1;
    for (const test of chosen.proved) proved.add(test);
    const intervals = directed(chosen.intervals, field);
    if (!chosen.intervals.every(isPoint)) {
      const ranges = prefixes.flatMap(({ bytes, points }) =>
        intervals.map(({ low, high }) => ({ start: position(bytes, low), end: position(bytes, high), points })),
      );
      return { ranges, fields, exact: exact() };
    }
    prefixes = prefixes.flatMap(({ bytes, points }) =>
      intervals.map(({ low }) => {
        const longer = Buffer.concat([bytes, low.value]);
        return { bytes: longer, points: [...points, longer.length] };
      }),
    );
  }
  const ranges = prefixes.map(({ bytes, points }) => ({ start: bytes, end: Buffer.concat([bytes, ABOVE]), points }));
  return { ranges, fields, exact: exact() };
}

/** Sorts ranges and joins those that overlap, so that no key is seen twice. */
export function joinRanges(ranges: Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of ranges.toSorted((a, b) => compareBytes(a.start, b.start))) {
    const last = joined.at(-1);
    if (!last || compareBytes(range.start, last.end) >= 0) {
      joined.push(range);
      continue;
    }
    if (compareBytes(range.end, last.end) > 0) last.end = range.end;
    // A field with one value in each of the two ranges may have two values in the joined range.
    const same = last.points.filter(
      (end, i) =>
        range.points[i] === end && compareBytes(range.start.subarray(0, end), last.start.subarray(0, end)) === 0,
    );
    joined[joined.length - 1] = { ...last, points: same };
  }
  return joined;
}
