import { firstLeaf, fullKey, joinLevel, separate, type IndexTree } from './index-tree.ts';
import { type Leaf, leafCount } from './leaf.ts';

/**
 * The pages of a tree as they are now. From here on a page is copied before it is changed, so what is captured stays
 * true while it is written out, without holding up anyone.
 */
export function captureLeaves(tree: IndexTree): Buffer[] {
  tree.epoch += 1;
  const pages: Buffer[] = [];
  for (let leaf: Leaf | undefined = firstLeaf(tree); leaf; leaf = leaf.next) {
    if (leafCount(leaf) > 0) pages.push(leaf.bytes);
  }
  return pages;
}

/** Builds a tree over pages that are in order; much cheaper than inserting what is in them. */
export function restoreLeaves(tree: IndexTree, pages: Buffer[]): void {
  if (pages.length === 0) return;
  const leaves = pages.map((bytes): Leaf => ({ bytes, epoch: tree.epoch, next: undefined, previous: undefined }));
  const separators: Buffer[] = [];
  for (const [i, leaf] of leaves.entries()) {
    const previous = leaves[i - 1];
    tree.size += leafCount(leaf);
    if (!previous) continue;
    leaf.previous = previous;
    previous.next = leaf;
    const last = fullKey(tree, { leaf: previous, slot: leafCount(previous) - 1 });
    separators.push(separate(last, fullKey(tree, { leaf, slot: 0 })));
  }
  tree.root = joinLevel(leaves, separators);
}
