import { bounds } from '@postroom/contract/bounds';
import { FILTER_FIELDS, filterOperators, isFilterField } from '@postroom/contract/filter-fields';
import { isOneOf, mustBeOneOf } from '@postroom/contract/lists';
import { codePoints } from '@postroom/contract/text';
import { refuse, refuseAll, type Faults } from '@postroom/errors/refuse';
import { fields } from './fields.ts';
import type { FilterNode, FilterTree } from './tree.ts';

const SHAPES: Readonly<Record<string, readonly string[]>> = {
  _and: ['id', '_and'],
  _or: ['id', '_or'],
  label: ['id', 'label', 'type', 'value'],
};
const limits = bounds.filterTree;
const MOST_FAULTS = 20;

interface Reading {
  conditions: number;
  faults: [path: string, message: string][];
}
type Entry = Record<string, unknown>;

/** Reads a filter tree, or refuses it with every fault under its path, such as `filters._and[1].type`. */
export function parseFilters(text: string): FilterTree {
  if (Buffer.byteLength(text) > limits.bytes) refuse('filters', `must be at most ${limits.bytes} bytes`);
  const reading: Reading = { conditions: 0, faults: [] };
  const root = parseJson(text);
  if (isEntry(root) && Object.keys(root).length === 0) return {};
  readNode(root, 'filters', 1, reading);
  if (reading.conditions > limits.conditions) {
    reading.faults.unshift(['filters', `must hold at most ${limits.conditions} conditions`]);
  }
  if (reading.faults.length > 0) refuseFaults(reading.faults);
  return root as FilterNode;
}

/** A tree that was stored was found good on that day, by the bounds of that day. */
export function readStoredFilters(text: string): FilterTree {
  return JSON.parse(text) as FilterTree;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('filters', 'must be JSON');
  }
}

function readNode(node: unknown, path: string, level: number, reading: Reading): void {
  const fault = (key: string, message: string) => void reading.faults.push([`${path}${key}`, message]);
  if (reading.faults.length >= MOST_FAULTS) return;
  if (level > limits.levels) return fault('', `must be at most ${limits.levels} levels deep`);
  if (!isEntry(node)) return fault('', 'must be a group or a condition');

  const kinds = Object.keys(SHAPES).filter((key) => Object.hasOwn(node, key));
  const kind = kinds[0];
  if (kinds.length !== 1 || !kind) return fault('', 'must have exactly one of _and, _or and label');
  for (const key of Object.keys(node))
    if (!SHAPES[kind]?.includes(key)) fault(`.${key.slice(0, 40)}`, 'is not known here');
  const wrong = faultInText(node.id, limits.idLength);
  if (wrong) fault('.id', wrong);

  if (kind === 'label') readCondition(node, fault, reading);
  else readChildren(node[kind], `${path}.${kind}`, level, reading);
}

function readChildren(children: unknown, path: string, level: number, reading: Reading): void {
  if (!Array.isArray(children)) return void reading.faults.push([path, 'must be an array']);
  children.forEach((child, position) => readNode(child, `${path}[${position}]`, level + 1, reading));
}

function readCondition(node: Entry, fault: (key: string, message: string) => void, reading: Reading): void {
  reading.conditions += 1;
  const { label, type, value } = node;
  let wrong = faultInText(value, limits.valueLength);
  if (!isFilterField(label)) fault('.label', mustBeOneOf(FILTER_FIELDS));
  else if (!isOneOf(filterOperators[label], type)) fault('.type', mustBeOneOf(filterOperators[label]));
  else wrong ??= fields[label].faultIn(value as string, type);
  if (wrong) fault('.value', wrong);
}

function faultInText(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return 'must be text';
  if (value.includes('\0')) return 'must not hold a NUL character';
  // Half a surrogate pair is stored as something else than it was asked for.
  if (/\p{Surrogate}/u.test(value)) return 'must be well-formed text';
  return codePoints(value) > longest ? `must be at most ${longest} characters` : undefined;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuseFaults(faults: Reading['faults']): never {
  const details: Faults = {};
  for (const [path, message] of faults.slice(0, MOST_FAULTS)) (details[path] ??= []).push(message);
  return refuseAll(details);
}
