import { fields } from './fields.ts';
import { isEmptyTree, type FilterableEmail, type FilterContext, type FilterNode, type FilterTree } from './tree.ts';

/** Whether one email in hand matches: always the answer that the compiled query gives. */
export function evaluateFilters(tree: FilterTree, email: FilterableEmail, context: FilterContext): boolean {
  if (isEmptyTree(tree)) return true;
  return evaluateNode(tree as FilterNode, email, context);
}

function evaluateNode(node: FilterNode, email: FilterableEmail, context: FilterContext): boolean {
  if ('_and' in node) return node._and.every((child) => evaluateNode(child, email, context));
  if ('_or' in node) return node._or.some((child) => evaluateNode(child, email, context));
  return fields[node.label].matches(node, email, context);
}
