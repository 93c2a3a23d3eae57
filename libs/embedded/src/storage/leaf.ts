import { compareBytes } from './key.ts';

/**
 * A page of index entries, packed into one buffer, because millions of small objects would cost ten times as much:
 *
 *   0 count (2) · 2 length of the common prefix (2) · 4 start of the suffixes (4) · 8 prefix
 *   then one slot of 8 bytes an entry, in key order: record (4) · offset (2) · length (2) of its suffix
 *   then free space, then the suffixes, growing downwards from the end.
 */
export interface Leaf {
  bytes: Buffer;
  /** The snapshot generation in which this page was last copied; see `writable` in index-tree. */
  epoch: number;
  next: Leaf | undefined;
  previous: Leaf | undefined;
}

export interface Entry {
  key: Buffer;
  record: number;
}

const HEADER = 8;
const SLOT = 8;
export const PAGE = 4096;
const STEP = 256;

/** Buffers of pages that have grown out of them, by size: growing pages would otherwise keep the collector busy. */
const spares = new Map<number, Buffer[]>();
const MAX_SPARES = 64;

function takeBuffer(size: number): Buffer {
  return spares.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
}

/** Gives a page other bytes. The old ones are used again: `writable` has seen to it that no snapshot holds them. */
export function replaceBytes(leaf: Leaf, bytes: Buffer): void {
  const old = leaf.bytes;
  leaf.bytes = bytes;
  const list = spares.get(old.length) ?? [];
  if (list.length >= MAX_SPARES || old.length > PAGE) return;
  list.push(old);
  spares.set(old.length, list);
}

export const leafCount = ({ bytes }: Leaf): number => (bytes[0] as number) | ((bytes[1] as number) << 8);
const prefixLength = (bytes: Buffer): number => (bytes[2] as number) | ((bytes[3] as number) << 8);
const heapStart = (bytes: Buffer): number => bytes.readUInt32LE(4);
const slotAt = (bytes: Buffer, index: number): number => HEADER + prefixLength(bytes) + index * SLOT;

export function leafRecord({ bytes }: Leaf, index: number): number {
  return bytes.readUInt32LE(slotAt(bytes, index));
}

export function leafKeyLength({ bytes }: Leaf, index: number): number {
  return prefixLength(bytes) + bytes.readUInt16LE(slotAt(bytes, index) + 6);
}

/** The stored key of an entry, put together again. */
export function leafKey({ bytes }: Leaf, index: number): Buffer {
  const slot = slotAt(bytes, index);
  const offset = bytes.readUInt16LE(slot + 4);
  const length = bytes.readUInt16LE(slot + 6);
  const prefix = prefixLength(bytes);
  const key = Buffer.allocUnsafe(prefix + length);
  copyBytes(bytes, HEADER, HEADER + prefix, key, 0);
  copyBytes(bytes, offset, offset + length, key, prefix);
  return key;
}

/** Keys are short, and for a few bytes a loop is quicker than a call of `copy`. */
function copyBytes(from: Buffer, start: number, end: number, to: Buffer, at: number): void {
  if (end - start > 48) {
    from.copy(to, at, start, end);
    return;
  }
  for (let i = start, j = at; i < end; i += 1, j += 1) to[j] = from[i] as number;
}

function commonPrefix(entries: Entry[]): number {
  // Entries are in order, so what the first and the last have in common all of them have.
  const first = (entries[0] as Entry).key;
  const last = (entries.at(-1) as Entry).key;
  const limit = Math.min(first.length, last.length);
  let length = 0;
  while (length < limit && first[length] === last[length]) length += 1;
  return length;
}

export function packLeaf(entries: Entry[]): Buffer {
  const prefix = entries.length > 0 ? commonPrefix(entries) : 0;
  let size = HEADER + prefix;
  for (const entry of entries) size += SLOT + entry.key.length - prefix;
  const capacity = Math.ceil((size + STEP / 2) / STEP) * STEP;
  const bytes = takeBuffer(capacity);
  bytes.writeUInt16LE(entries.length, 0);
  bytes.writeUInt16LE(prefix, 2);
  entries[0]?.key.copy(bytes, HEADER, 0, prefix);
  let heap = capacity;
  entries.forEach((entry, index) => {
    const length = entry.key.length - prefix;
    heap -= length;
    copyBytes(entry.key, prefix, entry.key.length, bytes, heap);
    const slot = HEADER + prefix + index * SLOT;
    bytes.writeUInt32LE(entry.record, slot);
    bytes.writeUInt16LE(heap, slot + 4);
    bytes.writeUInt16LE(length, slot + 6);
  });
  bytes.writeUInt32LE(heap, 4);
  return bytes;
}

export function createLeaf(entries: Entry[], epoch: number): Leaf {
  return { bytes: packLeaf(entries), epoch, next: undefined, previous: undefined };
}

export function leafEntries(leaf: Leaf): Entry[] {
  const entries: Entry[] = [];
  const count = leafCount(leaf);
  for (let i = 0; i < count; i += 1) entries.push({ key: leafKey(leaf, i), record: leafRecord(leaf, i) });
  return entries;
}

/** Compares an entry's stored key with a probe; `TIE` when the probe goes on where the stored key ends. */
export const TIE = 0x7fffffff;

export function comparePrefix({ bytes }: Leaf, probe: Buffer): number {
  const prefix = prefixLength(bytes);
  const limit = Math.min(prefix, probe.length);
  for (let i = 0; i < limit; i += 1) {
    const difference = (bytes[HEADER + i] as number) - (probe[i] as number);
    if (difference !== 0) return difference;
  }
  return prefix > probe.length ? 1 : 0;
}

export function compareSuffix({ bytes }: Leaf, index: number, probe: Buffer): number {
  const prefix = prefixLength(bytes);
  const slot = HEADER + prefix + index * SLOT;
  const offset = (bytes[slot + 4] as number) | ((bytes[slot + 5] as number) << 8);
  const length = (bytes[slot + 6] as number) | ((bytes[slot + 7] as number) << 8);
  const limit = Math.min(length, probe.length - prefix);
  for (let i = 0; i < limit; i += 1) {
    const difference = (bytes[offset + i] as number) - (probe[prefix + i] as number);
    if (difference !== 0) return difference;
  }
  return length > probe.length - prefix ? 1 : TIE;
}

function sharesPrefix({ bytes }: Leaf, key: Buffer): boolean {
  const prefix = prefixLength(bytes);
  return key.length >= prefix && compareBytes(key.subarray(0, prefix), bytes.subarray(HEADER, HEADER + prefix)) === 0;
}

/** Inserts before `index`. False when the page has no room and has to be split. */
export function insertEntry(leaf: Leaf, index: number, entry: Entry): boolean {
  const count = leafCount(leaf);
  if (count === 0 || !sharesPrefix(leaf, entry.key)) return repack(leaf, index, entry);
  const { bytes } = leaf;
  const prefix = prefixLength(bytes);
  const length = entry.key.length - prefix;
  const slotsEnd = slotAt(bytes, count);
  const heap = heapStart(bytes) - length;
  if (heap < slotsEnd + SLOT) {
    if (bytes.length + STEP * 2 > PAGE) return repack(leaf, index, entry);
    grow(leaf, Math.max(STEP * 2, length + SLOT));
    return insertEntry(leaf, index, entry);
  }
  const slot = slotAt(bytes, index);
  bytes.copyWithin(slot + SLOT, slot, slotsEnd);
  copyBytes(entry.key, prefix, entry.key.length, bytes, heap);
  bytes.writeUInt32LE(entry.record, slot);
  bytes.writeUInt16LE(heap, slot + 4);
  bytes.writeUInt16LE(length, slot + 6);
  bytes.writeUInt16LE(count + 1, 0);
  bytes.writeUInt32LE(heap, 4);
  return true;
}

/** Makes room by copying bytes: taking the page apart for every few entries would be most of the cost of inserting. */
function grow(leaf: Leaf, more: number): void {
  const { bytes } = leaf;
  const next = takeBuffer(bytes.length + more);
  const count = leafCount(leaf);
  const slotsEnd = slotAt(bytes, count);
  const heap = heapStart(bytes);
  bytes.copy(next, 0, 0, slotsEnd);
  bytes.copy(next, heap + more, heap);
  next.writeUInt32LE(heap + more, 4);
  for (let at = slotAt(bytes, 0) + 4; at < slotsEnd; at += SLOT) {
    next.writeUInt16LE(bytes.readUInt16LE(at) + more, at);
  }
  replaceBytes(leaf, next);
}

/** Writes the page anew with one entry more: to find room between the suffixes, grow, or shorten the prefix. */
function repack(leaf: Leaf, index: number, entry: Entry): boolean {
  const entries = leafEntries(leaf);
  entries.splice(index, 0, entry);
  const bytes = packLeaf(entries);
  if (bytes.length > PAGE && entries.length > 1) return false;
  replaceBytes(leaf, bytes);
  return true;
}

export function removeEntry({ bytes }: Leaf, index: number): void {
  const count = bytes.readUInt16LE(0);
  bytes.copyWithin(slotAt(bytes, index), slotAt(bytes, index + 1), slotAt(bytes, count));
  bytes.writeUInt16LE(count - 1, 0);
}
