import { framed } from '../bson/build.ts';
import { Type, type RawValue, elements, hasName, isNumeric, readLength, skipName, valueEnd } from '../bson/raw.ts';
import {
  type Node,
  type ObjectNode,
  close,
  closeDocument,
  isArray,
  isObject,
  open,
  openDocument,
} from '../bson/tree.ts';
import { toNumber } from '../bson/value.ts';
import { CommandError, badValue } from '../protocol/errors.ts';
import { parseFilter, parseOperators } from '../filter/filter.ts';
import { compileValueMatcher } from '../filter/matcher.ts';

/** Fields to keep or to leave out, as a tree along the dots of their paths. */
interface Branch {
  name: Buffer;
  children: Map<string, Branch>;
  /** For a leaf: what becomes of the value; undefined inside the tree. */
  change: ((value: Node) => Node | undefined) | undefined;
}

const branch = (name: string): Branch => ({ name: Buffer.from(name), children: new Map(), change: undefined });

const conflict = (path: string): CommandError => new CommandError(31249, `Path collision at ${path}`);

const unchanged = (value: Node): Node => value;

function addPath(root: Branch, path: string, change: Branch['change']): void {
  let at = root;
  for (const step of path.split('.')) {
    if (at.change) throw conflict(path);
    const next = at.children.get(step) ?? branch(step);
    at.children.set(step, next);
    at = next;
  }
  if (at.children.size > 0 || at.change) throw conflict(path);
  at.change = change;
}

function sliceOf(operand: RawValue): (value: Node) => Node {
  const numbers =
    operand.type === Type.array
      ? elements(operand.buf, operand.start).map((e) => toNumber(e.value))
      : [toNumber(operand)];
  const [first = NaN, count] = numbers;
  if (numbers.some((number) => !Number.isInteger(number)) || (count !== undefined && count <= 0))
    throw badValue('$slice needs whole numbers');
  return (value) => {
    const node = open(value);
    if (!isArray(node)) return value;
    const { items } = node;
    if (count === undefined) return { type: Type.array, items: first < 0 ? items.slice(first) : items.slice(0, first) };
    const start = first < 0 ? Math.max(0, items.length + first) : first;
    return { type: Type.array, items: items.slice(start, start + count) };
  };
}

function elemMatchOf(operand: RawValue): (value: Node) => Node | undefined {
  const ofValues = elements(operand.buf, operand.start).every(({ name }) => name.startsWith('$'));
  const filter = ofValues
    ? parseOperators({ text: '', first: '', steps: [] }, operand)
    : parseFilter(operand.buf, operand.start);
  const matches = compileValueMatcher(filter);
  return (value) => {
    const node = open(value);
    if (!isArray(node)) return undefined;
    const found = node.items.find((item) => matches(close(item)));
    return found && { type: Type.array, items: [found] };
  };
}

interface Entry {
  path: string;
  mode: 'in' | 'out' | 'slice' | 'elemMatch';
  change: (value: Node) => Node | undefined;
}

function parseEntries(raw: Buffer, above = ''): Entry[] {
  return elements(raw).flatMap(({ name, value }) => {
    const isTree = value.type === Type.object && value.end - value.start > 5;
    if (isTree && !elements(value.buf, value.start)[0]?.name.startsWith('$')) {
      return parseEntries(value.buf.subarray(value.start, value.end), `${above}${name}.`);
    }
    return [parseEntry(above + name, value)];
  });
}

function parseEntry(path: string, value: RawValue): Entry {
  if (path.startsWith('$') || path.split('.').some((step) => step === '' || step.startsWith('$'))) {
    throw new CommandError(31324, `the projection '${path}' is not supported`);
  }
  if (isNumeric(value.type) || value.type === Type.boolean) {
    const keeps = value.type === Type.boolean ? value.buf[value.start] === 1 : toNumber(value) !== 0;
    return { path, mode: keeps ? 'in' : 'out', change: keeps ? unchanged : () => undefined };
  }
  const [operator] = value.type === Type.object ? elements(value.buf, value.start) : [];
  if (operator?.name === '$slice') return { path, mode: 'slice', change: sliceOf(operator.value) };
  if (operator?.name === '$elemMatch') return { path, mode: 'elemMatch', change: elemMatchOf(operator.value) };
  throw new CommandError(31325, `the projection of '${path}' by ${operator?.name ?? 'a value'} is not supported`);
}

/** Keeps what the tree names, as the bytes it is. Arrays on the way are gone through, other values on the way are left out. */
function include(buf: Buffer, start: number, tree: Branch): Buffer {
  const parts: Buffer[] = [];
  const end = start + readLength(buf, start) - 1;
  for (let at = start + 4; at < end;) {
    const type = buf[at] as number;
    const valueStart = skipName(buf, at + 1);
    const stop = valueEnd(type, buf, valueStart);
    const below = childNamed(tree, buf, at + 1);
    if (below?.change === unchanged) parts.push(buf.subarray(at, stop));
    else if (below) {
      const value = { type, buf, start: valueStart, end: stop };
      const kept = below.change ? below.change(value) : includeValue(value, below);
      if (kept) parts.push(buf.subarray(at, valueStart), bytesOf(kept));
    }
    at = stop;
  }
  return framed(parts);
}

function childNamed({ children }: Branch, buf: Buffer, at: number): Branch | undefined {
  for (const child of children.values()) if (hasName(buf, at, child.name)) return child;
  return undefined;
}

function bytesOf(node: Node): Buffer {
  const { buf, start, end } = close(node);
  return buf.subarray(start, end);
}

function includeValue(value: Node, tree: Branch): Node | undefined {
  if ('buf' in value && value.type === Type.object) return wholeObject(include(value.buf, value.start, tree));
  const node = open(value);
  if (!isArray(node)) return undefined;
  return { type: Type.array, items: node.items.flatMap((item) => includeValue(item, tree) ?? []) };
}

const wholeObject = (buf: Buffer): RawValue => ({ type: Type.object, buf, start: 0, end: buf.length });

function exclude(value: Node, tree: Branch): Node {
  const node = open(value);
  if (isArray(node)) return { type: Type.array, items: node.items.map((item) => exclude(item, tree)) };
  if (!isObject(node)) return node;
  for (const [name, below] of tree.children) {
    const child = node.fields.get(name);
    if (!child) continue;
    const kept = below.change ? below.change(child) : exclude(child, below);
    if (kept) node.fields.set(name, kept);
    else node.fields.delete(name);
  }
  return node;
}

function assertOneKind(others: Entry[], including: boolean): void {
  const kinds = ['inclusion', 'exclusion'];
  const wrong = others.find((entry) => entry.mode === (including ? 'out' : 'in'));
  if (!wrong) return;
  const [own, other] = including ? kinds : kinds.toReversed();
  throw new CommandError(including ? 31254 : 31253, `Cannot do ${other} on field ${wrong.path} in ${own} projection`);
}

const included = new Set<Entry['mode']>(['in', 'elemMatch']);

/** A projection as a function from document to document. */
export function compileProjection(raw: Buffer): (document: Buffer) => Buffer {
  const entries = parseEntries(raw);
  if (entries.length === 0) return (document) => document;
  const id = entries.find((entry) => entry.path === '_id');
  const others = entries.filter((entry) => entry !== id);
  const including =
    others.some((entry) => included.has(entry.mode)) || (others.length === 0 && id !== undefined && id.mode !== 'out');
  assertOneKind(others, including);
  const tree = branch('');
  for (const entry of others) addPath(tree, entry.path, entry.change);
  if (!including) return compileExclude(tree, id);
  if (id?.mode !== 'out') addPath(tree, '_id', unchanged);
  return (document) => include(document, 0, tree);
}

function compileExclude(tree: Branch, id: Entry | undefined): (document: Buffer) => Buffer {
  if (id?.mode === 'out') addPath(tree, '_id', () => undefined);
  return (document) => closeDocument(exclude(openDocument(document), tree) as ObjectNode);
}
