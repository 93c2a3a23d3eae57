import { HEADER, type Leaf, SLOT, copyBytes, heapStart, leafCount, prefixLength, read16, slotAt } from './leaf.ts';

/** A page takes no more than this, unless a single key needs it. */
const PAGE = 4096;
const STEP = 256;

/** Buffers of pages that have grown out of them, by size: growing pages would otherwise keep the collector busy. */
const spares = new Map<number, Buffer[]>();
const MAX_SPARES = 64;

function takeBuffer(size: number): Buffer {
  return spares.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

export function copyPage(bytes: Buffer): Buffer {
  const copy = takeBuffer(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Gives a page other bytes. The old ones are used again: `writable` has seen to it that no snapshot holds them. */
function replaceBytes(leaf: Leaf, bytes: Buffer): void {
  const old = leaf.bytes;
  leaf.bytes = bytes;
  const list = spares.get(old.length) ?? [];
  if (list.length >= MAX_SPARES || old.length > PAGE) return;
  list.push(old);
  spares.set(old.length, list);
}

/** With some room to grow, and in steps, so that a page that has grown is of use to another. */
function capacityFor(size: number): number {
  const capacity = Math.ceil((size + STEP / 2) / STEP) * STEP;
  return size <= PAGE ? Math.min(PAGE, capacity) : capacity;
}

function put16(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
}

function put32(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** A page of one entry, or of none. */
export function createLeaf(epoch: number, key?: Buffer, stored = 0, record = 0): Leaf {
  const bytes = takeBuffer(capacityFor(HEADER + SLOT + stored));
  put16(bytes, 0, 0);
  put16(bytes, 2, 0);
  put32(bytes, 4, bytes.length);
  const leaf: Leaf = { bytes, epoch, next: undefined, previous: undefined };
  if (key) putEntry(leaf, 0, key, stored, record);
  return leaf;
}

function putEntry({ bytes }: Leaf, index: number, key: Buffer, stored: number, record: number): void {
  const count = read16(bytes, 0);
  const prefix = prefixLength(bytes);
  const slot = HEADER + prefix + index * SLOT;
  const heap = heapStart(bytes) - (stored - prefix);
  if (index < count) bytes.copyWithin(slot + SLOT, slot, slotAt(bytes, count));
  copyBytes(key, prefix, stored, bytes, heap);
  put32(bytes, slot, record);
  put16(bytes, slot + 4, heap);
  put16(bytes, slot + 6, stored - prefix);
  put16(bytes, 0, count + 1);
  put32(bytes, 4, heap);
}

/** The number of bytes that a key shares with the common prefix of its page. */
export function sharedLength({ bytes }: Leaf, key: Buffer, stored: number): number {
  const limit = Math.min(prefixLength(bytes), stored);
  let length = 0;
  while (length < limit && bytes[HEADER + length] === key[length]) length += 1;
  return length;
}

/** Inserts before `index` the first `stored` bytes of a key. False when the page has no room and has to be split. */
export function insertEntry(leaf: Leaf, index: number, key: Buffer, stored: number, record: number): boolean {
  const count = leafCount(leaf);
  const prefix = prefixLength(leaf.bytes);
  const shared = sharedLength(leaf, key, stored);
  const needed = SLOT + stored - shared;
  const free = heapStart(leaf.bytes) - slotAt(leaf.bytes, count);
  if (shared < prefix || free < needed) {
    const grown = leaf.bytes.length + Math.max(STEP * 2, needed);
    if (shared === prefix && grown <= PAGE) grow(leaf, grown);
    else if (!rewrite(leaf, shared, needed)) return false;
  }
  putEntry(leaf, index, key, stored, record);
  return true;
}

/** Makes room by copying bytes, which costs less than reading every entry. */
function grow(leaf: Leaf, size: number): void {
  const { bytes } = leaf;
  const next = takeBuffer(size);
  const more = size - bytes.length;
  const slotsEnd = slotAt(bytes, leafCount(leaf));
  const heap = heapStart(bytes);
  bytes.copy(next, 0, 0, slotsEnd);
  bytes.copy(next, heap + more, heap);
  put32(next, 4, heap + more);
  for (let at = slotAt(bytes, 0) + 4; at < slotsEnd; at += SLOT) put16(next, at, read16(bytes, at) + more);
  replaceBytes(leaf, next);
}

/** Rewrites the page with a shorter prefix or without holes between its suffixes. False when it becomes too big. */
function rewrite(leaf: Leaf, prefix: number, needed: number): boolean {
  const count = leafCount(leaf);
  const size = sizeOf(leaf, 0, count, prefix) + needed;
  if (size > PAGE && count > 0) return false;
  replaceBytes(leaf, copyEntries(leaf, 0, count, prefix, size));
  return true;
}

function sizeOf({ bytes }: Leaf, from: number, to: number, prefix: number): number {
  let size = HEADER + prefix + (to - from) * (SLOT + prefixLength(bytes) - prefix);
  const end = slotAt(bytes, to);
  for (let slot = slotAt(bytes, from); slot < end; slot += SLOT) size += read16(bytes, slot + 6);
  return size;
}

/** A page of some entries of another, under a prefix that all of them have; with room for `size` bytes. */
function copyEntries({ bytes }: Leaf, from: number, to: number, prefix: number, size: number): Buffer {
  const next = takeBuffer(capacityFor(size));
  const old = prefixLength(bytes);
  put16(next, 0, to - from);
  put16(next, 2, prefix);
  copyKeyPart(bytes, from, 0, prefix, next, HEADER);
  let heap = next.length;
  let slot = HEADER + prefix;
  for (let index = from; index < to; index += 1, slot += SLOT) {
    const source = slotAt(bytes, index);
    const length = old + read16(bytes, source + 6) - prefix;
    heap -= length;
    copyKeyPart(bytes, index, prefix, prefix + length, next, heap);
    copyBytes(bytes, source, source + 4, next, slot);
    put16(next, slot + 4, heap);
    put16(next, slot + 6, length);
  }
  put32(next, 4, heap);
  return next;
}

/** A piece of an entry's stored key, part of which may stand in the prefix. */
function copyKeyPart(bytes: Buffer, index: number, start: number, end: number, to: Buffer, at: number): void {
  const prefix = prefixLength(bytes);
  const suffix = read16(bytes, slotAt(bytes, index) + 4) - prefix;
  if (start < prefix) copyBytes(bytes, HEADER + start, HEADER + Math.min(end, prefix), to, at);
  const from = Math.max(start, prefix);
  if (end > from) copyBytes(bytes, suffix + from, suffix + end, to, at + from - start);
}

/** Moves the entries from `half` on to a page of their own, which has no place in the tree yet. */
export function splitEntries(leaf: Leaf, half: number, epoch: number): Leaf {
  const count = leafCount(leaf);
  const right = takeRange(leaf, half, count);
  replaceBytes(leaf, takeRange(leaf, 0, half));
  return { bytes: right, epoch, next: undefined, previous: undefined };
}

function takeRange(leaf: Leaf, from: number, to: number): Buffer {
  // Entries are in order, so what the first and the last have in common all of them have.
  const prefix = commonPrefix(leaf, from, to - 1);
  return copyEntries(leaf, from, to, prefix, sizeOf(leaf, from, to, prefix));
}

function commonPrefix({ bytes }: Leaf, first: number, last: number): number {
  const [a, b] = [slotAt(bytes, first), slotAt(bytes, last)];
  const limit = Math.min(read16(bytes, a + 6), read16(bytes, b + 6));
  const [atA, atB] = [read16(bytes, a + 4), read16(bytes, b + 4)];
  let length = 0;
  while (length < limit && bytes[atA + length] === bytes[atB + length]) length += 1;
  return prefixLength(bytes) + length;
}

export function removeEntry({ bytes }: Leaf, index: number): void {
  const count = read16(bytes, 0);
  bytes.copyWithin(slotAt(bytes, index), slotAt(bytes, index + 1), slotAt(bytes, count));
  put16(bytes, 0, count - 1);
}
