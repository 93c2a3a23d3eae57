import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22;

/**
 * An id that the same source always gets. What was written before a crash is found and completed by the repeat
 * instead of being left behind beside a second copy; ids are spread like random ones.
 */
export function steadyId(prefix: string, ...parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  let id = `${prefix}_`;
  for (let position = 0; position < LENGTH; position++) id += ALPHABET[(digest[position] as number) % ALPHABET.length];
  return id;
}
