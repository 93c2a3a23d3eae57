
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

export function leafKeyLength({ bytes }: Leaf, index: number): number {
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

/** How an entry's stored key compares with a probe; `TIE` when the probe goes on where the stored key ends. */
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
