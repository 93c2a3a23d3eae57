import type { FilterOperator } from '@postroom/contract/filter-fields';
import type { Query } from './query.ts';
import type { Condition, FilterContext } from './tree.ts';

/** Fields that share their operators. A property test holds the queries against a plain reading of each email. */
export interface FieldFamily {
  /** The fault of a value, as a sentence for the caller. */
  faultIn(value: string, operator: FilterOperator): string | undefined;
  toQuery(condition: Condition, context: FilterContext): Query;
}

export function mustBeEmpty(value: string): string | undefined {
  return value === '' ? undefined : 'must be empty for this operator';
}
