import { expect, it } from '@jest/globals';
import { hashOf, newSecret } from './secret.ts';

it('makes keys of mk_ and 40 letters and digits, never the same twice', () => {
  const secrets = Array.from({ length: 200 }, newSecret);
  for (const secret of secrets) expect(secret).toMatch(/^mk_[0-9A-Za-z]{40}$/);
  expect(new Set(secrets).size).toBe(200);
});

it('hashes with SHA-256 in lower-case hex', () => {
  expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
