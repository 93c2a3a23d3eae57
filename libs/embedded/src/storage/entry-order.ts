import type { NewEntry } from './tree-insert.ts';

/** Below this, sorting costs more than it saves. */
const FEW = 8;
/** As many as the sixteen bits for a place can tell apart. */
const MOST = 0x1_0000;

/**
 * Entries as good as sorted: by the six bytes behind what all of their keys have in common. It only has to bring
 * neighbours together, and numbers are sorted ten times as fast as keys.
 */
export function inEntryOrder(entries: readonly NewEntry[]): readonly NewEntry[] {
  if (entries.length < FEW || entries.length > MOST) return entries;
  const from = commonLength(entries);
  const numbers = new BigUint64Array(entries.length);
  const halves = new Uint32Array(numbers.buffer);
  for (let i = 0; i < entries.length; i += 1) {
    const { key } = entries[i] as NewEntry;
    // The number's lower half comes first in memory: two more bytes of the key above the place.
    halves[2 * i] = ((byteAt(key, from + 4) << 24) | (byteAt(key, from + 5) << 16) | i) >>> 0;
    halves[2 * i + 1] =
      (((byteAt(key, from) << 8) | byteAt(key, from + 1)) * 0x1_0000 +
        ((byteAt(key, from + 2) << 8) | byteAt(key, from + 3))) >>>
      0;
  }
  numbers.sort();
  return Array.from(numbers, (_, i) => entries[(halves[2 * i] as number) & 0xffff] as NewEntry);
}

const byteAt = (key: Buffer, at: number): number => key[at] ?? 0;

function commonLength(entries: readonly NewEntry[]): number {
  const first = (entries[0] as NewEntry).key;
  let length = first.length;
  for (const { key } of entries) {
    let at = 0;
    while (at < length && key[at] === first[at]) at += 1;
    length = at;
  }
  return length;
}
