import { bounds } from '@postroom/contract/bounds';
import {
  filterOperators,
  isFilterField,
  type FilterField,
  type FilterOperator,
} from '@postroom/contract/filter-fields';

/* The filter tree as the builder edits it. The builder's root is always a group, and its nodes are never shared. */

export interface BuilderCondition {
  id: string;
  label: FilterField;
  type: FilterOperator;
  value: string;
}

export interface BuilderGroup {
  id: string;
  /** Whether every child must hold, or any one. */
  kind: '_and' | '_or';
  children: readonly BuilderNode[];
}

export type BuilderNode = BuilderCondition | BuilderGroup;

export const isGroup = (node: BuilderNode): node is BuilderGroup => 'kind' in node;

type NewId = () => string;

export function newGroup(newId: NewId, kind: BuilderGroup['kind'] = '_and'): BuilderGroup {
  return { id: newId(), kind, children: [] };
}

export function newCondition(newId: NewId): BuilderCondition {
  return { id: newId(), label: 'from', type: 'contains', value: '' };
}

/** The stored form: `{}` for an empty tree, and no empty groups within. */
export function toFilters(root: BuilderGroup): unknown {
  return toStored(root) ?? {};
}

function toStored(node: BuilderNode): object | null {
  if (!isGroup(node)) return node;
  const children = node.children.map(toStored).filter((child) => child !== null);
  return children.length === 0 ? null : { id: node.id, [node.kind]: children };
}

/** The stored form as the builder edits it. A condition alone gets a group around it. */
export function fromFilters(filters: unknown, newId: NewId): BuilderGroup {
  const node = fromStored(filters, newId);
  if (node === null) return newGroup(newId);
  return isGroup(node) ? node : { ...newGroup(newId), children: [node] };
}

function fromStored(stored: unknown, newId: NewId): BuilderNode | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { id, label, type, value } = stored as Record<string, unknown>;
  const kept = typeof id === 'string' ? id : newId();
  for (const kind of ['_and', '_or'] as const) {
    const children = (stored as Record<string, unknown>)[kind];
    if (!Array.isArray(children)) continue;
    return {
      id: kept,
      kind,
      children: children.map((child) => fromStored(child, newId)).filter((child) => child !== null),
    };
  }
  if (!isFilterField(label)) return null;
  const operators = operatorsOf(label);
  const known = operators.find((operator) => operator === type) ?? operators[0];
  return known === undefined ? null : { id: kept, label, type: known, value: typeof value === 'string' ? value : '' };
}

export const operatorsOf = (field: FilterField): readonly FilterOperator[] => filterOperators[field];

/** Another field keeps the operator and the value where these still mean something. */
export function withField(condition: BuilderCondition, label: FilterField): BuilderCondition {
  const operators = operatorsOf(label);
  const isSameFamily = operators === operatorsOf(condition.label);
  const type = operators.includes(condition.type) ? condition.type : (operators[0] ?? condition.type);
  return { ...condition, label, type, value: isSameFamily ? condition.value : '' };
}

/** Some operators say it all, and have no value. */
const LONE: readonly FilterOperator[] = ['is_true', 'is_false', 'is_empty', 'is_not_empty'];
export const needsValue = (operator: FilterOperator): boolean => !LONE.includes(operator);

export function withOperator(condition: BuilderCondition, type: FilterOperator): BuilderCondition {
  const isOtherKind = (type === 'in_last_days') !== (condition.type === 'in_last_days');
  return { ...condition, type, value: !needsValue(type) || isOtherKind ? '' : condition.value };
}

export function replaceNode(
  root: BuilderGroup,
  id: string,
  change: (node: BuilderNode) => BuilderNode | null,
): BuilderGroup {
  const changed = replaced(root, id, change);
  return changed && isGroup(changed) ? changed : root;
}

function replaced(
  node: BuilderNode,
  id: string,
  change: (node: BuilderNode) => BuilderNode | null,
): BuilderNode | null {
  if (node.id === id) return change(node);
  if (!isGroup(node)) return node;
  return {
    ...node,
    children: node.children.map((child) => replaced(child, id, change)).filter((child) => child !== null),
  };
}

export function countConditions(node: BuilderNode): number {
  return isGroup(node) ? node.children.reduce((sum, child) => sum + countConditions(child), 0) : 1;
}

export const canAddCondition = (root: BuilderGroup): boolean => countConditions(root) < bounds.filterTree.conditions;
/** A group at the last level but one holds conditions alone. */
export const canAddGroup = (level: number): boolean => level < bounds.filterTree.levels - 1;
