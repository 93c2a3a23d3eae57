import { FIELD_NAMES, operatorName, stateWords } from './field-names.ts';
import { isGroup, needsValue, type BuilderGroup, type BuilderNode } from './filter-tree.ts';

/** The tree in one line, for the list of views. */
export function filterWords(root: BuilderGroup, labelName: (id: string) => string): string {
  return root.children.length === 0 ? 'All emails' : wordsOf(root, labelName, true);
}

function wordsOf(node: BuilderNode, labelName: (id: string) => string, isOuter = false): string {
  if (isGroup(node)) {
    const words = node.children.map((child) => wordsOf(child, labelName)).join(node.kind === '_and' ? ' and ' : ' or ');
    return isOuter || node.children.length < 2 ? words : `(${words})`;
  }
  const { label, type, value } = node;
  if (!needsValue(type)) return stateWords(label, type);
  if (type === 'in_last_days') return `${FIELD_NAMES[label]} in the last ${value} days`;
  return `${FIELD_NAMES[label]} ${operatorName(label, type)} “${label === 'label' || label === 'ai_label' ? labelName(value) : value}”`;
}
