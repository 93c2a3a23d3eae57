import { type IdOrder, type Leaf, isEntry, leafCount, leafKey, leafRecord, lowerBound } from './leaf.ts';
import { copyPage, createLeaf, removeEntry } from './leaf-write.ts';

/** The ordered tree behind an index: pages of entries under branches that say which keys lie where. */
export interface Branch {
  children: Node[];
  /** `separators[i]` is at or below everything in `children[i + 1]`, and above everything before. */
  separators: Buffer[];
  /** Entries under each child, so that the size of a range is known without walking it. */
  counts: number[];
}

export type Node = Leaf | Branch;

export interface IndexTree {
  root: Node;
  ids: IdOrder;
  /** Counts changes; a scan that paused seeks anew when it moved. */
  version: number;
  epoch: number;
  size: number;
}

export interface TreePosition {
  leaf: Leaf;
  slot: number;
}

export const FANOUT = 64;
export const isLeaf = (node: Node): node is Leaf => 'bytes' in node;

export function createTree(ids: IdOrder): IndexTree {
  return { root: createLeaf(0), ids, version: 0, epoch: 0, size: 0 };
}

export const weigh = (node: Node): number =>
  isLeaf(node) ? leafCount(node) : node.counts.reduce((sum, n) => sum + n, 0);

/** The state of one descent from the root to a leaf. */
interface Descent {
  probe: Buffer;
  /** The number of leading bytes that all keys below the last branch are known to share with the probe. */
  alike: number;
}

/**
 * The child that a probe belongs to. Separators often share leading bytes (workspace, word). Bytes that the nearest
 * separators on both sides share with the probe are the same in all keys between them: no deeper level compares them.
 */
export function childIndex({ separators }: Branch, descent: Descent): number {
  const { probe } = descent;
  let low = 0;
  let high = separators.length;
  let alikeLow = descent.alike;
  let alikeHigh = descent.alike;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const separator = separators[middle] as Buffer;
    const limit = Math.min(separator.length, probe.length);
    let at = Math.min(alikeLow, alikeHigh);
    while (at < limit && separator[at] === probe[at]) at += 1;
    const order = at < limit ? (separator[at] as number) - (probe[at] as number) : separator.length - probe.length;
    if (order <= 0) {
      low = middle + 1;
      alikeLow = at;
    } else {
      high = middle;
      alikeHigh = at;
    }
  }
  descent.alike = Math.min(alikeLow, alikeHigh);
  return low;
}

export function fullKey(tree: IndexTree, { leaf, slot }: TreePosition): Buffer {
  return Buffer.concat([leafKey(leaf, slot), tree.ids.keyOf(leafRecord(leaf, slot))]);
}

/** The position of the first entry at or above the probe; its slot may be one past the end of the last page. */
export function seek(tree: IndexTree, probe: Buffer): TreePosition {
  const descent = { probe, alike: 0 };
  let node = tree.root;
  while (!isLeaf(node)) node = node.children[childIndex(node, descent)] as Node;
  const slot = lowerBound(tree.ids, node, probe);
  if (slot === leafCount(node) && node.next) return { leaf: node.next, slot: 0 };
  return { leaf: node, slot };
}

/** The number of entries below the probe. */
export function rank(tree: IndexTree, probe: Buffer): number {
  const descent = { probe, alike: 0 };
  let node = tree.root;
  let below = 0;
  while (!isLeaf(node)) {
    const index = childIndex(node, descent);
    for (let i = 0; i < index; i += 1) below += node.counts[i] as number;
    node = node.children[index] as Node;
  }
  return below + lowerBound(tree.ids, node, probe);
}

/** A page that may be written: one that a running snapshot still has to write out is copied first. */
export function writable(tree: IndexTree, leaf: Leaf): Leaf {
  if (leaf.epoch !== tree.epoch) {
    leaf.bytes = copyPage(leaf.bytes);
    leaf.epoch = tree.epoch;
  }
  return leaf;
}

/** The shortest bytes that are above one key and not above the next. */
export function separate(low: Buffer, high: Buffer): Buffer {
  let length = 0;
  while (low[length] === high[length] && length < high.length) length += 1;
  // Not from the pool that short-lived keys come from: one separator would keep eight kilobytes of it.
  const separator = Buffer.allocUnsafeSlow(Math.min(length + 1, high.length));
  high.copy(separator);
  return separator;
}

export function remove(tree: IndexTree, key: Buffer, record: number): boolean {
  const removed = removeFrom(tree, tree.root, { probe: key, alike: 0 }, record);
  if (!removed) return false;
  tree.version += 1;
  tree.size -= 1;
  while (!isLeaf(tree.root) && tree.root.children.length === 1) tree.root = tree.root.children[0] as Node;
  if (!isLeaf(tree.root) && tree.root.children.length === 0) tree.root = createLeaf(tree.epoch);
  return true;
}

function removeFrom(tree: IndexTree, node: Node, descent: Descent, record: number): boolean {
  if (isLeaf(node)) {
    const key = descent.probe;
    const slot = lowerBound(tree.ids, node, key);
    if (!isEntry(tree.ids, node, slot, key, record)) return false;
    removeEntry(writable(tree, node), slot);
    return true;
  }
  const index = childIndex(node, descent);
  const child = node.children[index] as Node;
  if (!removeFrom(tree, child, descent, record)) return false;
  node.counts[index] = (node.counts[index] as number) - 1;
  if (node.counts[index] === 0) dropChild(node, index);
  return true;
}

function dropChild(branch: Branch, index: number): void {
  const [child] = branch.children.splice(index, 1);
  branch.counts.splice(index, 1);
  branch.separators.splice(Math.max(0, index - 1), 1);
  if (!child || !isLeaf(child)) return;
  if (child.previous) child.previous.next = child.next;
  if (child.next) child.next.previous = child.previous;
}

export function firstLeaf(tree: IndexTree): Leaf {
  let node = tree.root;
  while (!isLeaf(node)) node = node.children[0] as Node;
  return node;
}

/** Puts levels of branches over nodes that are in order, until one is left. */
export function joinLevel(nodes: Node[], separators: Buffer[]): Node {
  if (nodes.length === 1) return nodes[0] as Node;
  const branches: Node[] = [];
  const above: Buffer[] = [];
  const width = FANOUT / 2;
  for (let at = 0; at < nodes.length; at += width) {
    const children = nodes.slice(at, at + width);
    branches.push({
      children,
      separators: separators.slice(at, at + children.length - 1),
      counts: children.map(weigh),
    });
    if (at > 0) above.push(separators[at - 1] as Buffer);
  }
  return joinLevel(branches, above);
}
