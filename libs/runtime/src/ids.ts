import { randomFillSync } from 'node:crypto';

/** Makes an opaque id such as `lbl_4fTz…`; ids are random and not ordered by time, so that they spread over shards. */
export type Ids = (prefix: string) => string;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22;

function idsFrom(nextByte: () => number): Ids {
  return (prefix) => {
    let id = `${prefix}_`;
    const end = id.length + LENGTH;
    while (id.length < end) {
      const index = nextByte() & 63;
      // Mapping 64 values onto 62 letters would make two letters likelier, so a surplus value is drawn again.
      if (index < ALPHABET.length) id += ALPHABET[index];
    }
    return id;
  };
}

// Randomness is fetched in blocks, because a system call for each id would be most of the cost of an id.
const pool = Buffer.alloc(4096);
let used = pool.length;

export const randomIds: Ids = idsFrom(() => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++] as number;
});

/** The same seed gives the same ids in the same order. */
export function seededIds(seed: number): Ids {
  let state = seed >>> 0;
  return idsFrom(() => {
    // This is mulberry32. It is small, and its spread is good enough for ids of tests and demos.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 255;
  });
}
