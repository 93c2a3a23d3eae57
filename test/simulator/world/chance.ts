/** Chance from a seed: the same seed gives the same draws. */
export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  between(least: number, most: number): number;
  happens(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** A source of its own, so that its draws change no draw of another. */
  fork(): Chance;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  // This is mulberry32: small, and the same on every platform.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    happens: (share) => next() < share,
    pick: (items) => items[below(items.length)] as never,
    fork: () => chanceOf(Math.floor(next() * 4_294_967_296)),
  };
}
