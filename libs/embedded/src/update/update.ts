import { ObjectId } from 'bson';
import { type RawValue, Type, elements, findElement, getField } from '../bson/raw.ts';
import { buildDocument } from '../bson/build.ts';
import {
  type Node,
  type ObjectNode,
  closeDocument,
  emptyObject,
  isArray,
  isObject,
  open,
  openChild,
  openDocument,
} from '../bson/tree.ts';
import { encodeValue, toText } from '../bson/value.ts';
import { CommandError, failedToParse, notSupported } from '../protocol/errors.ts';
import type { Filter } from '../filter/ast.ts';
import { keyOf } from '../bson/key.ts';
import { type ArrayFilters, expandPath } from './array-filters.ts';
import { type Operator, immutable, keep, operators, remove } from './operators.ts';

interface Step {
  path: string;
  steps: string[];
  operator: Operator;
  onInsertOnly: boolean;
  /** For $rename: where the value goes. */
  to: string[] | undefined;
}

export type Update =
  { kind: 'replace'; document: Buffer } | { kind: 'operators'; steps: Step[]; filters: ArrayFilters };

const ID = Buffer.from('_id');

function assertPath(path: string): string[] {
  const steps = path.split('.');
  if (steps.includes(''))
    throw new CommandError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  if (steps.includes('$')) throw notSupported(`the positional operator in '${path}'`);
  for (const step of steps) {
    if (step.startsWith('$') && !step.startsWith('$[')) {
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${step}' in '${path}' is not allowed in the context of an update's replacement document.`,
      );
    }
  }
  return steps;
}

/** Two operators on one path, or on a path and what is below it, contradict each other. */
function assertNoConflicts(paths: string[]): void {
  const sorted = paths.toSorted();
  const seen = new Set<string>();
  for (const path of sorted) {
    const steps = path.split('.');
    const above = steps.map((_, i) => steps.slice(0, i + 1).join('.')).find((prefix) => seen.has(prefix));
    if (above !== undefined)
      throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${above}'`);
    seen.add(path);
  }
}

const rename: Operator = { creates: false, apply: () => keep };

function parseOperator(name: string, operand: RawValue): Step[] {
  const make = operators[name];
  if (!make && name !== '$rename') {
    throw failedToParse(
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (operand.type !== Type.object)
    throw failedToParse(`Modifiers operate on fields but we found another type for ${name}`);
  return elements(operand.buf, operand.start).map(({ name: path, value }) => ({
    path,
    steps: assertPath(path),
    operator: make ? make(value) : rename,
    onInsertOnly: name === '$setOnInsert',
    to: make ? undefined : assertPath(toText(value) ?? ''),
  }));
}

export function parseUpdate(value: RawValue, filters: ArrayFilters): Update {
  if (value.type === Type.array) throw notSupported('an update with an aggregation pipeline');
  if (value.type !== Type.object) throw failedToParse('Update argument must be either an object or an array');
  const parts = elements(value.buf, value.start);
  if (!parts[0]?.name.startsWith('$')) {
    const wrong = parts.find((part) => part.name.startsWith('$'));
    if (wrong)
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${wrong.name}' in '${wrong.name}' is not allowed in the context of an update's replacement document.`,
      );
    return { kind: 'replace', document: Buffer.from(value.buf.subarray(value.start, value.end)) };
  }
  const steps = parts.flatMap((part) => parseOperator(part.name, part.value));
  assertNoConflicts(steps.flatMap((step) => [step.path, ...(step.to ? [step.to.join('.')] : [])]));
  // Fields that do not exist yet come into being in the order of their names, as in MongoDB since 5.0.
  steps.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { kind: 'operators', steps, filters };
}

/** The node a path ends in, with what is missing on the way created; undefined where nothing is to be created. */
function descend(root: ObjectNode, steps: string[], create: boolean): Node | undefined {
  let node: Node = root;
  for (const [i, step] of steps.slice(0, -1).entries()) {
    let child = openChild(node, step);
    if (!child) {
      if (!create) return undefined;
      child = emptyObject();
      put(node, step, child, steps.slice(0, i + 1).join('.'));
    }
    node = child;
  }
  return node;
}

function put(parent: Node, step: string, value: Node, path: string): void {
  if (isObject(parent)) {
    parent.fields.set(step, value);
    return;
  }
  if (!isArray(parent) || !/^\d+$/.test(step)) {
    throw new CommandError(28, `Cannot create field '${step}' in element at '${path}'`);
  }
  const position = Number(step);
  if (position > parent.items.length + 1500)
    throw new CommandError(2, `can't backfill more than 1500 elements of an array`);
  while (parent.items.length < position) parent.items.push(encodeValue(null));
  parent.items[position] = value;
}

function take(parent: Node, step: string): void {
  if (isObject(parent)) parent.fields.delete(step);
  // In an array the others keep their places, so the element becomes null.
  else if (isArray(parent)) parent.items[Number(step)] = encodeValue(null);
}

function childOf(parent: Node, step: string): Node | undefined {
  if (isObject(parent)) return parent.fields.get(step);
  return isArray(parent) && /^\d+$/.test(step) ? parent.items[Number(step)] : undefined;
}

function applyStep(root: ObjectNode, step: Step, steps: string[]): void {
  const parent = descend(root, steps, step.operator.creates);
  if (!parent) return;
  const name = steps.at(-1) as string;
  const path = steps.join('.');
  if (step.operator.creates && !isObject(parent) && !isArray(parent)) {
    throw new CommandError(28, `Cannot create field '${name}' in element {${steps.at(-2)}: ...}`);
  }
  const outcome = step.operator.apply(childOf(parent, name), path);
  if (outcome === keep) return;
  if (outcome === remove) take(parent, name);
  else put(parent, name, outcome, path);
}

function applyRename(root: ObjectNode, step: Step): void {
  const from = descend(root, step.steps, false);
  const name = step.steps.at(-1) as string;
  const value = from && childOf(from, name);
  if (!from || !value) return;
  if (isArray(from)) throw new CommandError(2, `The source field cannot be an array element, '${step.path}'`);
  take(from, name);
  const target = step.to as string[];
  const parent = descend(root, target, true) as Node;
  put(parent, target.at(-1) as string, open(value), target.join('.'));
}

interface UpdateOptions {
  inserting: boolean;
}

/** The document after the update. The `_id` may not change. */
export function applyUpdate(update: Update, document: Buffer, { inserting }: UpdateOptions): Buffer {
  const id = getField(document, 0, ID);
  const result = update.kind === 'replace' ? replace(update.document, document) : operate(update, document, inserting);
  if (id.type === Type.missing) return result;
  const after = getField(result, 0, ID);
  if (after.type === Type.missing || !keyOf(after).equals(keyOf(id))) throw immutable('_id');
  return result;
}

function replace(replacement: Buffer, document: Buffer): Buffer {
  const id = getField(document, 0, ID);
  if (findElement(replacement, 0, ID) >= 0 || id.type === Type.missing) return idFirst(replacement);
  return buildDocument([{ name: '_id', value: id }, ...elements(replacement)]);
}

function operate(update: Extract<Update, { kind: 'operators' }>, document: Buffer, inserting: boolean): Buffer {
  const root = openDocument(document);
  for (const step of update.steps) {
    if (step.onInsertOnly && !inserting) continue;
    if (step.to) applyRename(root, step);
    else for (const steps of expandPath(root, step.steps, update.filters)) applyStep(root, step, steps);
  }
  return closeDocument(root);
}

/** Stored documents begin with their `_id`; one that has none gets one. */
export function idFirst(document: Buffer): Buffer {
  const at = findElement(document, 0, ID);
  if (at === 4) return document;
  const id = at < 0 ? encodeValue(new ObjectId()) : getField(document, 0, ID);
  return buildDocument([{ name: '_id', value: id }, ...elements(document).filter((element) => element.name !== '_id')]);
}

export function assertStorable(document: Buffer): void {
  const id = getField(document, 0, ID);
  if (id.type === Type.array || id.type === Type.regex || id.type === Type.undefined) {
    throw new CommandError(2, "The '_id' value cannot be of type array, regex or undefined");
  }
  if (document.length > 16 * 1024 * 1024)
    throw new CommandError(10334, `BSONObj size: ${document.length} is invalid. Size must be between 0 and 16777216`);
}

/** Builds the document that an upsert starts from: the operators then change it. It has the query's equality fields. */
export function seedOf(filter: Filter): Buffer {
  const root = emptyObject();
  const visit = (part: Filter): void => {
    if (part.kind === 'and') part.parts.forEach(visit);
    if (part.kind === 'or' && part.parts.length === 1) part.parts.forEach(visit);
    if (part.kind !== 'test' || part.test.op !== 'eq') return;
    const steps = part.test.path.text.split('.');
    put(descend(root, steps, true) as Node, steps.at(-1) as string, part.test.operand, part.test.path.text);
  };
  visit(filter);
  return closeDocument(root);
}
