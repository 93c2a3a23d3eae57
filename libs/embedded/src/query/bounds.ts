import { Type } from '../bson/raw.ts';
import { encodeValue } from '../bson/value.ts';
import { compareBytes, keyOf, typeClass } from '../bson/key.ts';
import type { Test } from '../filter/ast.ts';
import { literalPrefix } from '../filter/regex.ts';

/** A place between keys: before or after all that begin with `value`. */
export interface Edge {
  value: Buffer;
  after: boolean;
}

/** The values of one field between two edges, in ascending order of values. */
export interface Interval {
  low: Edge;
  high: Edge;
}

export interface Bounds {
  intervals: Interval[];
  /** `always`: a key within the bounds proves the condition. `unlessArrays`: it does when no document has an array there. */
  exact: 'always' | 'unlessArrays' | 'never';
}

const before = (value: Buffer): Edge => ({ value, after: false });
const after = (value: Buffer): Edge => ({ value, after: true });

const point = (key: Buffer): Interval => ({ low: before(key), high: after(key) });

/** All values of the operand's class. Classes leave gaps, so the neighbours' numbers are never in use. */
const lowestOf = (valueClass: number): Edge => after(Buffer.from([valueClass - 1]));
const highestOf = (valueClass: number): Edge => before(Buffer.from([valueClass + 1]));

const NUMBER = typeClass(Type.double);
const NULL = typeClass(Type.null);
const nanKey = keyOf(encodeValue(NaN));

function compareEdges(a: Edge, b: Edge): number {
  const length = Math.min(a.value.length, b.value.length);
  const order = compareBytes(a.value.subarray(0, length), b.value.subarray(0, length));
  if (order !== 0) return order;
  if (a.value.length === b.value.length) return Number(a.after) - Number(b.after);
  // One is the beginning of the other and lies on this or that side of all that begins so.
  if (a.value.length < b.value.length) return a.after ? 1 : -1;
  return b.after ? -1 : 1;
}

export function isPoint({ low, high }: Interval): boolean {
  return !low.after && high.after && low.value.equals(high.value);
}

function orderBounds(op: 'gt' | 'gte' | 'lt' | 'lte', key: Buffer): Bounds {
  const valueClass = key[0] as number;
  const isNaNKey = key.equals(nanKey);
  if (valueClass === NULL || isNaNKey) {
    const intervals = op === 'gte' || op === 'lte' ? [point(key)] : [];
    return { intervals, exact: valueClass === NULL ? 'unlessArrays' : 'always' };
  }
  const lowest = valueClass === NUMBER ? after(nanKey) : lowestOf(valueClass);
  const interval: Record<typeof op, Interval> = {
    gt: { low: after(key), high: highestOf(valueClass) },
    gte: { low: before(key), high: highestOf(valueClass) },
    lt: { low: lowest, high: before(key) },
    lte: { low: lowest, high: after(key) },
  };
  return { intervals: [interval[op]], exact: 'always' };
}

/** These have no place of their own in an index: an array is there by its elements, $minKey compares with everything. */
const unindexed = new Set<number>([Type.array, Type.undefined, Type.minKey, Type.maxKey, Type.regex]);

function regexBounds(regex: RegExp): Bounds | undefined {
  const prefix = literalPrefix(regex);
  if (prefix === undefined) return undefined;
  const value = Buffer.concat([Buffer.from([typeClass(Type.string)]), Buffer.from(prefix)]);
  // Up to the next text that begins otherwise. Edges around `value` itself would be those of a single value.
  const next = Buffer.from(value);
  next[next.length - 1] = (next.at(-1) as number) + 1;
  return { intervals: [{ low: before(value), high: before(next) }], exact: 'never' };
}

/** Where in an index on its field the documents are that a condition may hold for; undefined when anywhere. */
export function boundsOf(test: Test): Bounds | undefined {
  switch (test.op) {
    case 'eq':
      if (unindexed.has(test.operand.type)) return undefined;
      return { intervals: [point(test.key)], exact: test.key[0] === NULL ? 'unlessArrays' : 'always' };
    case 'in': {
      if (test.operands.some((operand) => unindexed.has(operand.type))) return undefined;
      const keys = test.keys
        .toSorted(compareBytes)
        .filter((key, i, all) => i === 0 || !key.equals(all[i - 1] as Buffer));
      return { intervals: keys.map(point), exact: keys.some((key) => key[0] === NULL) ? 'unlessArrays' : 'always' };
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return unindexed.has(test.operand.type) ? undefined : orderBounds(test.op, test.key);
    case 'regex':
      return regexBounds(test.regex);
    default:
      return undefined;
  }
}

export function intersect(a: Interval[], b: Interval[]): Interval[] {
  const both: Interval[] = [];
  for (const x of a) {
    for (const y of b) {
      const low = compareEdges(x.low, y.low) >= 0 ? x.low : y.low;
      const high = compareEdges(x.high, y.high) <= 0 ? x.high : y.high;
      if (compareEdges(low, high) < 0) both.push({ low, high });
    }
  }
  return both;
}

/** True when every value of `inner` lies in `outer`: how a partial index knows that a query asks for no more than it has. */
export function isWithin(inner: Interval[], outer: Interval[]): boolean {
  return inner.every((x) => outer.some((y) => compareEdges(y.low, x.low) <= 0 && compareEdges(x.high, y.high) <= 0));
}
