import { createHash, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 40;

/** A new API key in full; it is shown once and nothing but its hash is kept. */
export function newSecret(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `mk_${letters.join('')}`;
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
