import type { FilterField, FilterOperator } from '@postroom/contract/filter-fields';

/* The public filter tree, as views keep it and callers send it. */

export interface Condition {
  id: string;
  label: FilterField;
  type: FilterOperator;
  value: string;
}
interface AndGroup {
  id: string;
  _and: FilterNode[];
}
interface OrGroup {
  id: string;
  _or: FilterNode[];
}
export type FilterNode = AndGroup | OrGroup | Condition;
/** The empty tree filters nothing. */
export type FilterTree = FilterNode | Record<string, never>;

/** The meaning of a tree depends on the moment and on the live labels. */
export interface FilterContext {
  now: Date;
  labelIds: readonly string[];
  aiLabelIds: readonly string[];
}

export function isEmptyTree(tree: FilterTree): tree is Record<string, never> {
  return Object.keys(tree).length === 0;
}

export function conditionsOf(tree: FilterTree): Condition[] {
  if (isEmptyTree(tree)) return [];
  if ('_and' in tree) return tree._and.flatMap(conditionsOf);
  if ('_or' in tree) return tree._or.flatMap(conditionsOf);
  return [tree];
}
