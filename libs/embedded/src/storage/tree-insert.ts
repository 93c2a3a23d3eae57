import {
  type Branch,
  type IndexTree,
  type Node,
  FANOUT,
  childIndex,
  fullKey,
  isLeaf,
  separate,
  weigh,
  writable,
} from './index-tree.ts';
import { compareBytes } from '../bson/key.ts';
import { type Leaf, isEntry, leafCount, lowerBound, prefixLength } from './leaf.ts';
import { createLeaf, insertEntry, sharedLength, splitEntries } from './leaf-write.ts';

/** An entry on its way into a tree: the stored part of its key, then the key of the document's `_id`. */
export interface NewEntry {
  key: Buffer;
  stored: number;
  record: number;
}

/** The page a key belongs to, how it was reached, and between which keys everything on it lies. */
interface Path {
  branches: Branch[];
  positions: number[];
  leaf: Leaf;
  low: Buffer | undefined;
  high: Buffer | undefined;
}

/**
 * Adds entries, and answers how many were not there yet. Neighbours that follow one another share the way down, and
 * the memory on it stays in the processor's cache: hand them over sorted, or nearly so, where there are many.
 */
export function insertEntries(tree: IndexTree, entries: readonly NewEntry[]): number {
  const before = tree.size;
  let path: Path | undefined;
  for (const entry of entries) {
    for (let outcome: Outcome = 'split'; outcome === 'split';) {
      if (!path || !covers(path, entry.key)) path = descend(tree, entry.key);
      outcome = insertAtLeaf(tree, path, entry);
      // Where a page was added, what is known of the way no longer holds.
      if (outcome !== 'placed') path = undefined;
    }
  }
  const added = tree.size - before;
  if (added > 0) tree.version += 1;
  return added;
}

/** `split`: the page had to be split first, and the entry still has to find its place. */
type Outcome = 'placed' | 'alone' | 'split';

function covers({ low, high }: Path, key: Buffer): boolean {
  return (!low || compareBytes(low, key) <= 0) && (!high || compareBytes(key, high) < 0);
}

function descend(tree: IndexTree, probe: Buffer): Path {
  const descent = { probe, alike: 0 };
  const branches: Branch[] = [];
  const positions: number[] = [];
  let low: Buffer | undefined;
  let high: Buffer | undefined;
  let node = tree.root;
  while (!isLeaf(node)) {
    const index = childIndex(node, descent);
    branches.push(node);
    positions.push(index);
    low = node.separators[index - 1] ?? low;
    high = node.separators[index] ?? high;
    node = node.children[index] as Node;
  }
  return { branches, positions, leaf: node, low, high };
}

function insertAtLeaf(tree: IndexTree, path: Path, { key, stored, record }: NewEntry): Outcome {
  const slot = lowerBound(tree.ids, path.leaf, key);
  if (isEntry(tree.ids, path.leaf, slot, key, record)) return 'placed';
  const leaf = writable(tree, path.leaf);
  if (insertEntry(leaf, slot, key, stored, record)) {
    tree.size += 1;
    path.branches.forEach((branch, level) => {
      const index = path.positions[level] as number;
      branch.counts[index] = (branch.counts[index] as number) + 1;
    });
    return 'placed';
  }
  const at = aloneAt(leaf, slot, key, stored);
  if (at === undefined) {
    const half = leafCount(leaf) >>> 1;
    const right = splitEntries(leaf, half, tree.epoch);
    const separator = separate(fullKey(tree, { leaf, slot: half - 1 }), fullKey(tree, { leaf: right, slot: 0 }));
    link(leaf, right);
    attach(tree, path, separator, right);
    return 'split';
  }
  standAlone(tree, path, at, { key, stored, record });
  return 'alone';
}

/**
 * Where an entry gets a page of its own, beside this one. Keys that grow with time come at the very end: the full page
 * is left full, instead of half empty for ever. And a key that the others' long prefix does not fit would make them
 * all longer.
 */
function aloneAt(leaf: Leaf, slot: number, key: Buffer, stored: number): 'before' | 'after' | undefined {
  const count = leafCount(leaf);
  const isAtEdge = slot === 0 || slot === count;
  const isStranger = sharedLength(leaf, key, stored) < prefixLength(leaf.bytes);
  const growsOn = slot === count && !leaf.next;
  if (!isAtEdge || !(isStranger || growsOn || count === 1)) return undefined;
  return slot === 0 ? 'before' : 'after';
}

function standAlone(tree: IndexTree, path: Path, at: 'before' | 'after', { key, stored, record }: NewEntry): void {
  const { leaf } = path;
  const own = createLeaf(tree.epoch, key, stored, record);
  tree.size += 1;
  if (at === 'after') {
    const separator = separate(fullKey(tree, { leaf, slot: leafCount(leaf) - 1 }), key);
    link(leaf, own);
    return attach(tree, path, separator, own);
  }
  // The page stays where it is in the tree and takes the new entry; what it held moves into the page behind it.
  const separator = separate(key, fullKey(tree, { leaf, slot: 0 }));
  const bytes = own.bytes;
  own.bytes = leaf.bytes;
  leaf.bytes = bytes;
  link(leaf, own);
  attach(tree, path, separator, own);
}

function link(leaf: Leaf, right: Leaf): void {
  right.previous = leaf;
  right.next = leaf.next;
  if (right.next) right.next.previous = right;
  leaf.next = right;
}

/** Puts a new node behind the one the path leads to, and splits the branches above where they get too wide. */
function attach(tree: IndexTree, { branches, positions }: Path, above: Buffer, added: Node): void {
  let right: Node | undefined = added;
  let separator = above;
  for (let level = branches.length - 1; level >= 0; level -= 1) {
    const branch = branches[level] as Branch;
    const index = positions[level] as number;
    branch.counts[index] = weigh(branch.children[index] as Node);
    if (!right) continue;
    branch.children.splice(index + 1, 0, right);
    branch.separators.splice(index, 0, separator);
    branch.counts.splice(index + 1, 0, weigh(right));
    right = undefined;
    if (branch.children.length > FANOUT) ({ right, separator } = splitBranch(branch));
  }
  if (!right) return;
  const children = [tree.root, right];
  tree.root = { children, separators: [separator], counts: children.map(weigh) };
}

function splitBranch(branch: Branch): { separator: Buffer; right: Branch } {
  const half = branch.children.length >>> 1;
  const separator = branch.separators[half - 1] as Buffer;
  const right = {
    children: branch.children.splice(half),
    separators: branch.separators.splice(half),
    counts: branch.counts.splice(half),
  };
  branch.separators.length = half - 1;
  return { separator, right };
}
