import type { FilterOperator } from '@postroom/contract/filter-fields';
import type { Query } from './query.ts';
import type { Condition, FilterableEmail, FilterContext } from './tree.ts';

/**
 * Fields that share their operators. The query and the evaluator of an operator stand side by side because they
 * must always agree; a property test holds them together.
 */
export interface FieldFamily {
  /** What is wrong with a value, in words for the caller. */
  faultIn(value: string, operator: FilterOperator): string | undefined;
  toQuery(condition: Condition, context: FilterContext): Query;
  matches(condition: Condition, email: FilterableEmail, context: FilterContext): boolean;
}

export function mustBeEmpty(value: string): string | undefined {
  return value === '' ? undefined : 'must be empty for this operator';
}
