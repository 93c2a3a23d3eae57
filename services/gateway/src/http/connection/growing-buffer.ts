const LEAST_CAPACITY = 4_096;

interface GrowingBuffer {
  /** Whether there was room for the piece. */
  append(piece: Buffer): boolean;
  readonly length: number;
  bytes(): Buffer;
  clear(): void;
}

/** One buffer that doubles as it fills, up to a size: in a list of pieces each would cost more than it holds. */
export function createGrowingBuffer(most: number, mayTake: (bytes: number) => boolean): GrowingBuffer {
  let buffer = Buffer.alloc(0);
  let length = 0;

  const widen = (needed: number): boolean => {
    const capacity = Math.min(most, Math.max(LEAST_CAPACITY, needed, 2 * buffer.length));
    if (capacity < needed || !mayTake(capacity)) return false;
    const wider = Buffer.allocUnsafeSlow(capacity);
    buffer.copy(wider, 0, 0, length);
    buffer = wider;
    return true;
  };

  return {
    append: (piece) => {
      const needed = length + piece.length;
      if (needed > buffer.length && !widen(needed)) return false;
      piece.copy(buffer, length);
      length = needed;
      return true;
    },
    get length() {
      return length;
    },
    bytes: () => buffer.subarray(0, length),
    clear: () => {
      buffer = Buffer.alloc(0);
      length = 0;
    },
  };
}
