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

/**
 * The order of entries is that of the stored key followed by the document's `_id`, but the `_id` is not stored: it is
 * read off the record when two stored keys are equal. That halves the memory of an index that ends in its tie-break,
 * and makes the order of equal keys stable.
 */
export interface IdOrder {
  /** Compares the key of a record's `_id` with what is left of a probe after the stored key. */
  compare(record: number, probe: Buffer, from: number): number;
  keyOf(record: number): Buffer;
}

export const HEADER = 8;
export const SLOT = 8;

export const leafCount = ({ bytes }: Leaf): number => read16(bytes, 0);
export const prefixLength = (bytes: Buffer): number => read16(bytes, 2);
export const heapStart = (bytes: Buffer): number => bytes.readUInt32LE(4);
export const slotAt = (bytes: Buffer, index: number): number => HEADER + prefixLength(bytes) + index * SLOT;

export function read16(bytes: Buffer, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

export function leafRecord({ bytes }: Leaf, index: number): number {
  return bytes.readUInt32LE(slotAt(bytes, index));
}

function leafKeyLength({ bytes }: Leaf, index: number): number {
  return prefixLength(bytes) + read16(bytes, slotAt(bytes, index) + 6);
}

/** The stored key of an entry, put together again. */
export function leafKey({ bytes }: Leaf, index: number): Buffer {
  const slot = slotAt(bytes, index);
  const offset = read16(bytes, slot + 4);
  const length = read16(bytes, slot + 6);
  const prefix = prefixLength(bytes);
  const key = Buffer.allocUnsafe(prefix + length);
  copyBytes(bytes, HEADER, HEADER + prefix, key, 0);
  copyBytes(bytes, offset, offset + length, key, prefix);
  return key;
}

/** Keys are short, and for a few bytes a loop is quicker than a call of `copy`. */
export function copyBytes(from: Buffer, start: number, end: number, to: Buffer, at: number): void {
  if (end - start > 48) {
    from.copy(to, at, start, end);
    return;
  }
  for (let i = start, j = at; i < end; i += 1, j += 1) to[j] = from[i] as number;
}

/** The stored key is a prefix of the probe, so the `_id` behind it decides the order. */
const TIE = 0x7fffffff;

function comparePrefix({ bytes }: Leaf, probe: Buffer): number {
  const prefix = prefixLength(bytes);
  const limit = Math.min(prefix, probe.length);
  for (let i = 0; i < limit; i += 1) {
    const difference = (bytes[HEADER + i] as number) - (probe[i] as number);
    if (difference !== 0) return difference;
  }
  return prefix > probe.length ? 1 : 0;
}

function compareSuffix({ bytes }: Leaf, index: number, probe: Buffer): number {
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

/** The first slot of a page whose full key is at or above the probe. */
export function lowerBound(ids: IdOrder, leaf: Leaf, probe: Buffer): number {
  const count = leafCount(leaf);
  if (count === 0) return 0;
  const prefix = comparePrefix(leaf, probe);
  if (prefix !== 0) return prefix < 0 ? count : 0;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareEntry(ids, leaf, middle, probe) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareEntry(ids: IdOrder, leaf: Leaf, slot: number, probe: Buffer): number {
  const order = compareSuffix(leaf, slot, probe);
  if (order !== TIE) return order;
  return ids.compare(leafRecord(leaf, slot), probe, leafKeyLength(leaf, slot));
}

/** Whether the slot holds this very entry. */
export function isEntry(ids: IdOrder, leaf: Leaf, slot: number, key: Buffer, record: number): boolean {
  if (slot >= leafCount(leaf) || leafRecord(leaf, slot) !== record) return false;
  return comparePrefix(leaf, key) === 0 && compareEntry(ids, leaf, slot, key) === 0;
}
