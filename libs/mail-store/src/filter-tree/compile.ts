import { fields } from './fields.ts';
import { ALWAYS, every, some, type Query } from './query.ts';
import { conditionsOf, isEmptyTree, type FilterContext, type FilterNode, type FilterTree } from './tree.ts';

/** The tree as one query. */
export function compileFilters(tree: FilterTree, context: FilterContext): Query {
  if (isEmptyTree(tree)) return ALWAYS;
  return compileNode(tree as FilterNode, context);
}

function compileNode(node: FilterNode, context: FilterContext): Query {
  if ('_and' in node) return every(node._and.map((child) => compileNode(child, context)));
  if ('_or' in node) return some(node._or.map((child) => compileNode(child, context)));
  return fields[node.label].toQuery(node, context);
}

/** Whether compiling needs to know the labels of the workspace. */
export function asksForLabels(tree: FilterTree): boolean {
  return conditionsOf(tree).some(({ label }) => label === 'label' || label === 'ai_label');
}
