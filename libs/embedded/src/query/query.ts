import type { RawValue } from '../bson/raw.ts';
import type { Operation } from '../operation.ts';
import type { Collection } from '../storage/collection.ts';
import type { Filter } from './ast.ts';
import { compileMatcher } from './matcher.ts';
import { type Rows, filterRows, limitRows, scanCollection, skipRows } from './rows.ts';
import { type SortField, sortRows } from './sort.ts';

export interface Query {
  collection: Collection;
  filter: Filter;
  sort: SortField[];
  skip: number;
  limit: number | undefined;
  hint: RawValue | undefined;
  operation: Operation;
}

export function openQuery(query: Query): { rows: Rows; explain: () => Record<string, unknown> } {
  let rows = filterRows(scanCollection(query.collection, query.operation), compileMatcher(query.filter));
  if (query.sort.length > 0) rows = sortRows(rows, query.sort, (query.limit ?? Infinity) + query.skip);
  if (query.skip > 0) rows = skipRows(rows, query.skip);
  if (query.limit !== undefined) rows = limitRows(rows, query.limit);
  return { rows, explain: () => ({ stage: 'COLLSCAN' }) };
}
