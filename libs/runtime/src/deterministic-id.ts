import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22;

/**
 * An id that is the same for the same source. A repeat after a crash therefore finds and completes the first write
 * instead of making a second copy. The ids are spread like random ones.
 */
export function deterministicId(prefix: string, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  let id = `${prefix}_`;
  for (let position = 0; position < LENGTH; position++) id += ALPHABET[(digest[position] as number) % ALPHABET.length];
  return id;
}
