import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inEntryOrder } from './entry-order.ts';
import { type IndexTree, createTree, firstLeaf, fullKey, rank, remove, seek } from './index-tree.ts';
import { compareBytes } from '../bson/key.ts';
import { type IdOrder, type Leaf, leafCount, leafRecord } from './leaf.ts';
import { captureLeaves, restoreLeaves } from './tree-image.ts';
import { type NewEntry, insertEntries } from './tree-insert.ts';

/** Records count as their own ids, four bytes each. */
const idOf = (record: number): Buffer => Buffer.from([10, record >> 16, record >> 8, record]);
const ids: IdOrder = {
  compare: (record, probe, from) => compareBytes(idOf(record), probe.subarray(from)),
  keyOf: idOf,
};

interface Entry {
  stored: Buffer;
  record: number;
}

const full = ({ stored, record }: Entry): Buffer => Buffer.concat([stored, idOf(record)]);
const toNew = (entry: Entry): NewEntry => ({ key: full(entry), stored: entry.stored.length, record: entry.record });
const add = (tree: IndexTree, entry: Entry): boolean => insertEntries(tree, [toNew(entry)]) === 1;

function contents(tree: IndexTree): string[] {
  const found: string[] = [];
  for (let leaf: Leaf | undefined = firstLeaf(tree); leaf; leaf = leaf.next) {
    for (let slot = 0; slot < leafCount(leaf); slot += 1) {
      found.push(`${fullKey(tree, { leaf, slot }).toString('hex')}:${leafRecord(leaf, slot)}`);
    }
  }
  return found;
}

const named = (entries: Entry[]): string[] => entries.map((entry) => `${full(entry).toString('hex')}:${entry.record}`);

/** Long keys that begin alike split pages early and make prefixes shrink; few letters make equal keys. */
const stored = fc
  .tuple(
    fc.constantFrom('', 'workspace', 'workspace-two'),
    fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 4 }),
    fc.constantFrom(0, 200, 700),
  )
  .map(([head, tail, filler]) => Buffer.from(`${head}${'-'.repeat(filler)}${tail}\0`));
const entry = fc.record({ stored, record: fc.nat(40) });

describe('the tree of an index', () => {
  it('holds what was put in and not taken out, in order, whatever the sequence', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), entry), { minLength: 1, maxLength: 400 }), entry, (steps, probe) => {
        const tree = createTree(ids);
        const model = new Map<string, Entry>();
        for (const [adding, one] of steps) {
          const key = full(one).toString('hex');
          // Removing takes something that is there every other time, or hardly anything would ever be removed.
          const known = [...model.values()];
          const target = adding ? one : (known[one.record % Math.max(1, known.length * 2)] ?? one);
          if (adding) expect(add(tree, one)).toBe(!model.has(key));
          else expect(remove(tree, full(target), target.record)).toBe(model.has(full(target).toString('hex')));
          if (adding) model.set(key, one);
          else model.delete(full(target).toString('hex'));
        }
        const sorted = [...model.values()].toSorted((a, b) => compareBytes(full(a), full(b)));
        expect(contents(tree)).toEqual(named(sorted));
        expect(tree.size).toBe(sorted.length);
        const below = sorted.filter((one) => compareBytes(full(one), full(probe)) < 0).length;
        expect(rank(tree, full(probe))).toBe(below);
        const { leaf, slot } = seek(tree, full(probe));
        const next = sorted[below];
        if (next) expect(leafRecord(leaf, slot)).toBe(next.record);
      }),
      { numRuns: 100 },
    );
  });

  it('takes many at once as it takes them one by one, in order or not', () => {
    fc.assert(
      fc.property(fc.array(fc.array(entry, { maxLength: 120 }), { maxLength: 8 }), fc.boolean(), (batches, sorting) => {
        const tree = createTree(ids);
        const model = new Map<string, Entry>();
        for (const batch of batches) {
          const known = model.size;
          for (const one of batch) model.set(full(one).toString('hex'), one);
          const coming = batch.map(toNew);
          expect(insertEntries(tree, sorting ? inEntryOrder(coming) : coming)).toBe(model.size - known);
        }
        const sorted = [...model.values()].toSorted((a, b) => compareBytes(full(a), full(b)));
        expect(contents(tree)).toEqual(named(sorted));
        for (const [position, one] of sorted.entries()) expect(rank(tree, full(one))).toBe(position);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps every entry where keys of a long common beginning meet a stranger', () => {
    const tree = createTree(ids);
    const long = Array.from({ length: 300 }, (_, i) => ({
      stored: Buffer.from(`${'m'.repeat(2_000)}${i}\0`),
      record: i,
    }));
    const strangers = ['a', 'z', 'ma', 'mz'].map((text, i) => ({ stored: Buffer.from(`${text}\0`), record: 300 + i }));
    for (const one of [...long, ...strangers]) expect(add(tree, one)).toBe(true);
    const sorted = [...long, ...strangers].toSorted((a, b) => compareBytes(full(a), full(b)));
    expect(contents(tree)).toEqual(named(sorted));
  });

  it('gives a captured image that later changes do not touch, and comes back from it', () => {
    const tree = createTree(ids);
    const make = (i: number): Entry => ({ stored: Buffer.from(`key-${(i * 7919) % 5000}\0`), record: i });
    const first = Array.from({ length: 3000 }, (_, i) => make(i));
    for (const one of first) add(tree, one);
    const image = captureLeaves(tree);
    for (let i = 3000; i < 5000; i += 1) add(tree, make(i));
    for (const one of first.slice(0, 1000)) remove(tree, full(one), one.record);
    const restored = createTree(ids);
    restoreLeaves(restored, image);
    const sorted = first.toSorted((a, b) => compareBytes(full(a), full(b)));
    expect(contents(restored)).toEqual(named(sorted));
    expect(rank(restored, full(sorted[1234] as Entry))).toBe(1234);
    for (const one of first) expect(remove(restored, full(one), one.record)).toBe(true);
    expect(contents(restored)).toEqual([]);
  });
});
