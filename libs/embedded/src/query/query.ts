import type { RawValue } from '../bson/raw.ts';
import type { Operation } from '../protocol/operation.ts';
import type { Collection } from '../storage/collection.ts';
import type { Filter } from '../filter/ast.ts';
import { scanIndex } from './index-scan.ts';
import { compileMatcher } from '../filter/matcher.ts';
import { mergeRows } from './merge-rows.ts';
import { type IndexPlan, type QueryPlan, choosePlan } from './planner.ts';
import { type Rows, emptyRows, filterRows, limitRows, scanCollection, skipRows, unionRows } from './rows.ts';
import { type SortField, sortRows } from './sort.ts';

export interface FindQuery {
  collection: Collection;
  filter: Filter;
  sort: SortField[];
  skip: number;
  limit: number | undefined;
  hint: RawValue | undefined;
  operation: Operation;
}

/** Stages of a plan from the top down, in the names MongoDB's explain has for them. */
type Explanation = Record<string, unknown> & { stage: string };

function readIndex({ collection, operation }: FindQuery, plan: IndexPlan): Rows {
  const { index, ranges, order, dedupe } = plan;
  const reverse = order?.reverse ?? false;
  const groups = order?.groups ?? [{ ranges, prefix: 0 }];
  const scan = { collection, index, reverse, operation };
  const [only] = groups;
  if (groups.length === 0) return emptyRows();
  if (only && groups.length === 1) return scanIndex({ ...scan, ranges: only.ranges, dedupe, fetch: true });
  const streams = groups.map(({ ranges: own, prefix }) => ({
    rows: scanIndex({ ...scan, ranges: own, dedupe: false, fetch: false }),
    prefix,
  }));
  return mergeRows(collection, streams, reverse, dedupe, operation);
}

function readPlan(query: FindQuery, plan: QueryPlan): Rows {
  const matches = compileMatcher(query.filter);
  if (plan.kind === 'collection') {
    const rows = scanCollection(query.collection, query.operation);
    return isEverything(query.filter) ? rows : filterRows(rows, matches);
  }
  if (plan.kind === 'union') return filterRows(unionRows(plan.parts.map((part) => readIndex(query, part))), matches);
  // When the ranges say it all, a document goes from the store to the answer without being looked into.
  return plan.exact ? readIndex(query, plan) : filterRows(readIndex(query, plan), matches);
}

const isEverything = (filter: Filter): boolean => filter.kind === 'and' && filter.parts.length === 0;

export function openQuery(query: FindQuery): { rows: Rows; explain: () => Explanation } {
  const { collection, filter, sort, skip, limit, hint } = query;
  const wanted = (limit ?? Infinity) + skip;
  const plan = choosePlan(collection, { filter, sort, wanted, hint });
  let rows = readPlan(query, plan);
  const needsSort = sort.length > 0 && (plan.kind !== 'index' || !plan.order);
  if (needsSort) rows = sortRows(rows, sort, wanted);
  if (skip > 0) rows = skipRows(rows, skip);
  if (limit !== undefined) rows = limitRows(rows, limit);
  return { rows, explain: () => explainPlan(query, plan, needsSort) };
}

/** Returns the number of matching documents when it is known without reading them, else undefined. */
export function countByIndex({ collection, filter, hint }: FindQuery): number | undefined {
  if (isEverything(filter) && !hint) return collection.arena.count;
  const plan = choosePlan(collection, { filter, sort: [], wanted: Infinity, hint });
  return plan.kind === 'index' && plan.exact && !plan.dedupe ? plan.keys : undefined;
}

function explainIndex({ index, order, exact, ranges, keys }: IndexPlan): Explanation {
  const scan = {
    stage: 'IXSCAN',
    keyPattern: Object.fromEntries(index.spec.key),
    indexName: index.spec.name,
    isMultiKey: index.multikey.includes(true),
    isUnique: index.spec.unique,
    isPartial: index.partial !== undefined,
    direction: order?.reverse ? 'backward' : 'forward',
    ranges: ranges.length,
    keysInRanges: keys,
  };
  const merged = (order?.groups.length ?? 1) > 1 ? { stage: 'SORT_MERGE', inputStage: scan } : scan;
  return { stage: 'FETCH', ...(exact ? {} : { filter: 'residual' }), inputStage: merged };
}

function explainPlan({ skip, limit, sort }: FindQuery, plan: QueryPlan, needsSort: boolean): Explanation {
  let stage: Explanation = { stage: 'COLLSCAN', direction: 'forward' };
  if (plan.kind === 'index') stage = explainIndex(plan);
  if (plan.kind === 'union')
    stage = { stage: 'FETCH', inputStage: { stage: 'OR', inputStages: plan.parts.map(explainIndex) } };
  if (needsSort) {
    const sortPattern = Object.fromEntries(sort.map(({ path, descending }) => [path.text, descending ? -1 : 1]));
    stage = { stage: 'SORT', sortPattern, inputStage: stage };
  }
  if (skip > 0) stage = { stage: 'SKIP', skipAmount: skip, inputStage: stage };
  if (limit !== undefined) stage = { stage: 'LIMIT', limitAmount: limit, inputStage: stage };
  return stage;
}
