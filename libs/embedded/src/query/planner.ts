import { type RawValue, Type, elements } from '../bson/raw.ts';
import { toText } from '../bson/value.ts';
import { badValue } from '../protocol/errors.ts';
import type { Collection } from '../storage/collection.ts';
import { parseIndexKey } from '../storage/index-spec.ts';
import { rank } from '../storage/index-tree.ts';
import type { Index } from '../storage/document-index.ts';
import type { Filter } from '../filter/ast.ts';
import { boundsOf } from './bounds.ts';
import { type Branch, branchesOf, implies, testsOn } from './branches.ts';
import { type Order, orderOfRanges } from './order.ts';
import { type Bounded, type Range, boundBranch, joinRanges } from './ranges.ts';
import type { SortField } from './sort.ts';

/** One way to answer a query. */
export type QueryPlan = { kind: 'collection' } | { kind: 'union'; parts: IndexPlan[] } | IndexPlan;

export interface IndexPlan {
  kind: 'index';
  index: Index;
  ranges: Range[];
  /** True when the documents in the ranges need no further check. */
  exact: boolean;
  /** Undefined when the index does not give the wanted order, so the result has to be sorted. */
  order: Order | undefined;
  /** Entries in the ranges. */
  keys: number;
  fields: number;
  dedupe: boolean;
}

interface Wish {
  filter: Filter;
  sort: SortField[];
  /** Skip and limit together. */
  wanted: number;
  hint: RawValue | undefined;
}

/** Whether the ranges may contain a document more than once, through several elements of an array. */
function mayRepeat(index: Index, ranges: Range[]): boolean {
  if (!index.multikey.includes(true)) return false;
  const fixed = ranges[0]?.points.length ?? 0;
  return ranges.length > 1 || index.multikey.lastIndexOf(true) >= fixed;
}

const countKeys = (index: Index, ranges: Range[]): number =>
  ranges.reduce((sum, { start, end }) => sum + Math.max(0, rank(index.tree, end) - rank(index.tree, start)), 0);

/** Of several words that all have to be there, the rarest is looked up and the others are checked. */
function tightest(index: Index, branch: Branch): Bounded {
  const multikey = index.fields.find((_, i) => index.multikey[i]);
  const choices = multikey ? testsOn(branch, multikey.path.text).filter((test) => boundsOf(test)) : [];
  if (choices.length < 2) return boundBranch(index, branch);
  const bounded = choices.map((choice) => boundBranch(index, branch, choice));
  const keys = bounded.map(({ ranges }) => countKeys(index, ranges));
  return bounded[keys.indexOf(Math.min(...keys))] as Bounded;
}

function planIndex(index: Index, branches: Branch[], sort: SortField[]): IndexPlan | undefined {
  const { partial } = index;
  if (partial && !branches.every((branch) => implies(branch, partial.filter))) return undefined;
  const bounded = branches.map((branch) => tightest(index, branch));
  const ranges = joinRanges(bounded.flatMap((part) => part.ranges));
  const keys = countKeys(index, ranges);
  return {
    kind: 'index',
    index,
    ranges,
    keys,
    exact: bounded.every((part) => part.exact),
    order: orderOfRanges(index, ranges, sort),
    fields: Math.min(...bounded.map((part) => part.fields)),
    dedupe: mayRepeat(index, ranges),
  };
}

/**
 * Estimates the cost of a plan in documents read. A plan in sort order stops when it has enough documents. When it also
 * checks conditions, the estimate uses `matching`, an upper limit for the number of matching documents.
 */
function costOf({ keys, exact, order }: IndexPlan, wanted: number, matching: number): number {
  if (!order) return keys * 2 + 10;
  if (exact) return Math.min(keys, wanted);
  return Math.min(keys * 1.2, wanted * Math.max(1, keys / Math.max(1, matching)) * 3);
}

function hinted(collection: Collection, hint: RawValue): Index | 'natural' {
  if (hint.type === Type.object) {
    if (elements(hint.buf, hint.start)[0]?.name === '$natural') return 'natural';
    const key = JSON.stringify(parseIndexKey(hint));
    const found = collection.indexes.find((index) => index.ready && JSON.stringify(index.spec.key) === key);
    if (found) return found;
  }
  const name = toText(hint);
  const found = collection.indexes.find((index) => index.ready && index.spec.name === name);
  if (!found) throw badValue('error processing query: hint provided does not correspond to an existing index');
  return found;
}

function planHinted(collection: Collection, hint: RawValue, { filter, sort }: Wish): QueryPlan {
  const index = hinted(collection, hint);
  if (index === 'natural') return { kind: 'collection' };
  const plan = planIndex(index, branchesOf(filter), sort);
  if (!plan) throw badValue('error processing query: the hinted partial index does not contain all the query asks for');
  return plan;
}

/** An $or whose alternatives each have an index of their own. */
function planUnion(indexes: Index[], branches: Branch[]): { parts: IndexPlan[]; cost: number } | undefined {
  if (branches.length < 2) return undefined;
  const parts: IndexPlan[] = [];
  for (const branch of branches) {
    const plans = indexes.flatMap((index) => planIndex(index, [branch], []) ?? []).filter((plan) => plan.fields > 0);
    const [first] = plans;
    if (!first) return undefined;
    parts.push(plans.reduce((best, plan) => (plan.keys < best.keys ? plan : best), first));
  }
  return { parts, cost: parts.reduce((sum, part) => sum + part.keys, 0) };
}

/** Alternatives may share the first fields of one index, and go further in others: worth it where they find little. */
const UNION_BESIDE_BOUNDS = 10;

/** A query for one document by its `_id` uses this plan at once: twenty other plans would only cost time. */
function planOne({ indexes: [idIndex] }: Collection, branches: Branch[], sort: SortField[]): IndexPlan | undefined {
  const [branch, ...others] = branches;
  if (!idIndex || !branch || others.length > 0 || testsOn(branch, '_id').length === 0) return undefined;
  const plan = planIndex(idIndex, branches, sort);
  return plan && plan.fields > 0 && plan.keys <= 1 ? plan : undefined;
}

export function choosePlan(collection: Collection, wish: Wish): QueryPlan {
  const { filter, sort, wanted, hint } = wish;
  if (hint && hint.type !== Type.null) return planHinted(collection, hint, wish);
  const branches = branchesOf(filter);
  const one = planOne(collection, branches, sort);
  if (one) return one;
  const indexes = collection.indexes.filter((index) => index.ready);
  const plans = indexes
    .flatMap((index) => planIndex(index, branches, sort) ?? [])
    .filter((plan) => plan.fields > 0 || (sort.length > 0 && plan.order));
  const total = collection.arena.count;
  const matching = Math.min(total, ...plans.map((plan) => plan.keys));
  const everything = filter.kind === 'and' && filter.parts.length === 0;
  const scanned = everything && sort.length === 0 ? Math.min(total, wanted) : total;
  let cost = (sort.length > 0 ? scanned * 2 + 10 : scanned) * 1.5;
  let best: QueryPlan = { kind: 'collection' };
  for (const plan of plans.toSorted((a, b) => b.fields - a.fields || a.index.fields.length - b.index.fields.length)) {
    const own = costOf(plan, wanted, matching);
    // Bounds are preferred even where a tiny collection makes everything equally cheap: plans stay what they will be.
    if (own < cost || (best.kind === 'collection' && plan.fields > 0)) {
      best = plan;
      cost = own;
    }
  }
  const union = planUnion(indexes, branches);
  if (!union) return best;
  const isBounded = best.kind === 'index' && best.fields > 0;
  const price = union.cost * (sort.length > 0 ? 2 : 1) + (isBounded ? UNION_BESIDE_BOUNDS : 0);
  return price < cost ? { kind: 'union', parts: union.parts } : best;
}
