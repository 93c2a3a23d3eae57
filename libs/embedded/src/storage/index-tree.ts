import {
  type Entry,
  type Leaf,
  TIE,
  comparePrefix,
  compareSuffix,
  createLeaf,
  insertEntry,
  leafCount,
  leafEntries,
  leafKey,
  leafKeyLength,
  leafRecord,
  packLeaf,
  removeEntry,
  replaceBytes,
} from './leaf.ts';

/**
 * The ordered tree behind an index. The order is that of the stored key followed by the document's `_id`, but the
 * `_id` is not stored: it is read off the record when two stored keys are equal. That halves the memory of an index
 * that ends in its tie-break, and makes the order of equal keys stable.
 */
export interface IdOrder {
  /** Compares the key of a record's `_id` with what is left of a probe after the stored key. */
  compare(record: number, probe: Buffer, from: number): number;
  keyOf(record: number): Buffer;
}

interface Branch {
  children: Node[];
  /** `separators[i]` is at or below everything in `children[i + 1]`, and above everything before. */
  separators: Buffer[];
  /** Entries under each child, so that the size of a range is known without walking it. */
  counts: number[];
}

type Node = Leaf | Branch;

export interface IndexTree {
  root: Node;
  ids: IdOrder;
  /** Counts changes; a scan that paused seeks anew when it moved. */
  version: number;
  epoch: number;
  size: number;
}

export interface Position {
  leaf: Leaf;
  slot: number;
}

const FANOUT = 64;
const isLeaf = (node: Node): node is Leaf => 'bytes' in node;

export function createTree(ids: IdOrder): IndexTree {
  return { root: createLeaf([], 0), ids, version: 0, epoch: 0, size: 0 };
}

const weigh = (node: Node): number => (isLeaf(node) ? leafCount(node) : node.counts.reduce((sum, n) => sum + n, 0));

/**
 * The child a probe belongs to. Separators begin alike (workspace, word), and what the nearest ones on both sides have
 * in common with the probe everything between has too: those bytes are not compared again.
 */
function childIndex({ separators }: Branch, probe: Buffer): number {
  let low = 0;
  let high = separators.length;
  let alikeLow = 0;
  let alikeHigh = 0;
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
  return low;
}

/** The first slot of a page whose full key is at or above the probe. */
export function lowerBound(tree: IndexTree, leaf: Leaf, probe: Buffer): number {
  const count = leafCount(leaf);
  if (count === 0) return 0;
  const prefix = comparePrefix(leaf, probe);
  if (prefix !== 0) return prefix < 0 ? count : 0;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareEntry(tree, leaf, middle, probe) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareEntry(tree: IndexTree, leaf: Leaf, slot: number, probe: Buffer): number {
  const order = compareSuffix(leaf, slot, probe);
  if (order !== TIE) return order;
  return tree.ids.compare(leafRecord(leaf, slot), probe, leafKeyLength(leaf, slot));
}

/** Whether the slot holds this very entry. */
function isEntry(tree: IndexTree, leaf: Leaf, slot: number, key: Buffer, record: number): boolean {
  if (slot >= leafCount(leaf) || leafRecord(leaf, slot) !== record) return false;
  return comparePrefix(leaf, key) === 0 && compareEntry(tree, leaf, slot, key) === 0;
}

export function fullKey(tree: IndexTree, { leaf, slot }: Position): Buffer {
  return Buffer.concat([leafKey(leaf, slot), tree.ids.keyOf(leafRecord(leaf, slot))]);
}

/** The position of the first entry at or above the probe; its slot may be one past the end of the last page. */
export function seek(tree: IndexTree, probe: Buffer): Position {
  let node = tree.root;
  while (!isLeaf(node)) node = node.children[childIndex(node, probe)] as Node;
  const slot = lowerBound(tree, node, probe);
  if (slot === leafCount(node) && node.next) return { leaf: node.next, slot: 0 };
  return { leaf: node, slot };
}

/** How many entries stand below the probe. */
export function rank(tree: IndexTree, probe: Buffer): number {
  let node = tree.root;
  let below = 0;
  while (!isLeaf(node)) {
    const index = childIndex(node, probe);
    for (let i = 0; i < index; i += 1) below += node.counts[i] as number;
    node = node.children[index] as Node;
  }
  return below + lowerBound(tree, node, probe);
}

/** A page that may be written: one that a running snapshot still has to write out is copied first. */
function writable(tree: IndexTree, leaf: Leaf): Leaf {
  if (leaf.epoch !== tree.epoch) {
    leaf.bytes = Buffer.from(leaf.bytes);
    leaf.epoch = tree.epoch;
  }
  return leaf;
}

interface Split {
  separator: Buffer;
  right: Node;
}

/** Adds an entry; false when it was there. `stored` is the part of the key that is kept. */
export function insert(tree: IndexTree, key: Buffer, stored: number, record: number): boolean {
  const outcome = insertInto(tree, tree.root, key, stored, record);
  if (outcome === false) return false;
  tree.version += 1;
  tree.size += 1;
  if (outcome !== true) {
    const children = [tree.root, outcome.right];
    tree.root = { children, separators: [outcome.separator], counts: children.map(weigh) };
  }
  return true;
}

function insertInto(tree: IndexTree, node: Node, key: Buffer, stored: number, record: number): Split | boolean {
  if (isLeaf(node)) return insertIntoLeaf(tree, node, key, stored, record);
  const index = childIndex(node, key);
  const outcome = insertInto(tree, node.children[index] as Node, key, stored, record);
  if (outcome === false) return false;
  if (outcome === true) {
    node.counts[index] = (node.counts[index] as number) + 1;
    return true;
  }
  node.children.splice(index + 1, 0, outcome.right);
  node.separators.splice(index, 0, outcome.separator);
  node.counts.splice(index, 1, weigh(node.children[index] as Node), weigh(outcome.right));
  return node.children.length > FANOUT ? splitBranch(node) : true;
}

function splitBranch(node: Branch): Split {
  const half = node.children.length >>> 1;
  const separator = node.separators[half - 1] as Buffer;
  const right = {
    children: node.children.splice(half),
    separators: node.separators.splice(half),
    counts: node.counts.splice(half),
  };
  node.separators.length = half - 1;
  return { separator, right };
}

function insertIntoLeaf(tree: IndexTree, leaf: Leaf, key: Buffer, stored: number, record: number): Split | boolean {
  const slot = lowerBound(tree, leaf, key);
  if (isEntry(tree, leaf, slot, key, record)) return false;
  const entry = { key: key.subarray(0, stored), record };
  if (insertEntry(writable(tree, leaf), slot, entry)) return true;
  return splitLeaf(tree, leaf, slot, entry);
}

function splitLeaf(tree: IndexTree, leaf: Leaf, slot: number, entry: Entry): Split {
  const entries = leafEntries(leaf);
  // Keys that grow with time come at the very end: the full page is left full, instead of half empty for ever.
  const atEnd = slot === entries.length && !leaf.next;
  entries.splice(slot, 0, entry);
  const half = atEnd ? entries.length - 1 : entries.length >>> 1;
  const right = createLeaf(entries.slice(half), tree.epoch);
  replaceBytes(leaf, packLeaf(entries.slice(0, half)));
  right.previous = leaf;
  right.next = leaf.next;
  if (right.next) right.next.previous = right;
  leaf.next = right;
  return { separator: separate(tree, entries[half - 1] as Entry, entries[half] as Entry), right };
}

/** The shortest bytes that are above one entry and not above the next. */
export function separate(tree: IndexTree, below: Entry, above: Entry): Buffer {
  const low = Buffer.concat([below.key, tree.ids.keyOf(below.record)]);
  const high = Buffer.concat([above.key, tree.ids.keyOf(above.record)]);
  let length = 0;
  while (low[length] === high[length] && length < high.length) length += 1;
  return Buffer.from(high.subarray(0, length + 1));
}

export function remove(tree: IndexTree, key: Buffer, record: number): boolean {
  const removed = removeFrom(tree, tree.root, key, record);
  if (!removed) return false;
  tree.version += 1;
  tree.size -= 1;
  while (!isLeaf(tree.root) && tree.root.children.length === 1) tree.root = tree.root.children[0] as Node;
  if (!isLeaf(tree.root) && tree.root.children.length === 0) tree.root = createLeaf([], tree.epoch);
  return true;
}

function removeFrom(tree: IndexTree, node: Node, key: Buffer, record: number): boolean {
  if (isLeaf(node)) {
    const slot = lowerBound(tree, node, key);
    if (!isEntry(tree, node, slot, key, record)) return false;
    removeEntry(writable(tree, node), slot);
    return true;
  }
  const index = childIndex(node, key);
  const child = node.children[index] as Node;
  if (!removeFrom(tree, child, key, record)) return false;
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
