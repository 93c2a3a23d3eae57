import type { FilterOperator } from '@postroom/contract/filter-fields';
import { mustBeEmpty, type FieldFamily } from './field-family.ts';
import { ALWAYS, NEVER } from './query.ts';
import type { FilterContext } from './tree.ts';

const LONE_OPERATORS: readonly FilterOperator[] = ['is_empty', 'is_not_empty'];

/**
 * Labels of one kind. Only live labels count: a deleted label is gone for every reader, also while emails still carry
 * its id.
 */
export function labelField(idsOf: (context: FilterContext) => readonly string[]): FieldFamily {
  return {
    faultIn: (value, operator) => {
      if (LONE_OPERATORS.includes(operator)) return mustBeEmpty(value);
      return value === '' ? 'must be the id of a label' : undefined;
    },
    toQuery: ({ type, value }, context) => {
      const ids = idsOf(context);
      const isAlive = ids.includes(value);
      if (type === 'contains') return isAlive ? { labelIds: value } : NEVER;
      if (type === 'not_contains') return isAlive ? { labelIds: { $ne: value } } : ALWAYS;
      if (type === 'is_empty') return ids.length === 0 ? ALWAYS : { labelIds: { $nin: ids } };
      return ids.length === 0 ? NEVER : { labelIds: { $in: ids } };
    },
  };
}
