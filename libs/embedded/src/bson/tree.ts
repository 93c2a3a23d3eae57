import { buildDocument, type Element } from './build.ts';
import { type RawValue, Type, elements } from './raw.ts';

/**
 * A document that can be changed. Only what a change touches is taken apart; everything else stays the bytes it was,
 * so that no type and no order of fields is ever lost.
 */
export type Node = RawValue | ObjectNode | ArrayNode;

export interface ObjectNode {
  type: typeof Type.object;
  fields: Map<string, Node>;
}

export interface ArrayNode {
  type: typeof Type.array;
  items: Node[];
}

export function openDocument(buf: Buffer, start = 0): ObjectNode {
  const fields = new Map<string, Node>();
  for (const { name, value } of elements(buf, start)) fields.set(name, value);
  return { type: Type.object, fields };
}

export const emptyObject = (): ObjectNode => ({ type: Type.object, fields: new Map() });

export const isObject = (node: Node): node is ObjectNode => 'fields' in node;
export const isArray = (node: Node): node is ArrayNode => 'items' in node;

/** Takes an object or array apart; any other value stays as it is. */
export function open(node: Node): Node {
  if (!('buf' in node)) return node;
  if (node.type === Type.object) return openDocument(node.buf, node.start);
  if (node.type === Type.array) {
    return { type: Type.array, items: elements(node.buf, node.start).map((element) => element.value) };
  }
  return node;
}

/** Puts a node together again. */
export function close(node: Node): RawValue {
  if (isObject(node)) return whole(Type.object, closeFields(node.fields));
  if (isArray(node)) return whole(Type.array, closeFields(node.items.entries()));
  return node;
}

const whole = (type: number, buf: Buffer): RawValue => ({ type, buf, start: 0, end: buf.length });

function closeFields(fields: Iterable<[string | number, Node]>): Buffer {
  const list: Element[] = [];
  for (const [name, node] of fields) list.push({ name: String(name), value: close(node) });
  return buildDocument(list);
}

export function closeDocument(node: ObjectNode): Buffer {
  return closeFields(node.fields);
}

/** The opened child under a name or place, put back in its opened form so that changes to it are kept. */
export function openChild(node: Node, step: string): Node | undefined {
  if (isObject(node)) {
    const child = node.fields.get(step);
    if (!child) return undefined;
    const opened = open(child);
    node.fields.set(step, opened);
    return opened;
  }
  if (!isArray(node) || !/^\d+$/.test(step)) return undefined;
  const child = node.items[Number(step)];
  if (!child) return undefined;
  const opened = open(child);
  node.items[Number(step)] = opened;
  return opened;
}
