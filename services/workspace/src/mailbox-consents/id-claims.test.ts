import { expect, it } from '@jest/globals';
import { secretOf } from '@postroom/secrets/secret';
import { idClaimsIn } from './id-claims.ts';

const NOW = 1_800_000_000_000;
const good = { aud: 'client', nonce: 'n', exp: NOW / 1_000 + 60, email: 'ann@gmail.test', email_verified: true };
const claimsIn = (claims: object) => {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return idClaimsIn(secretOf(`header.${payload}.signature`), { clientId: 'client', nonce: 'n', now: NOW });
};

it('reads the claims of an id token for this client and this consent', () => {
  expect(claimsIn(good)).toEqual(good);
  expect(claimsIn({ ...good, aud: ['another', 'client'] })).toMatchObject({ email: 'ann@gmail.test' });
  expect(claimsIn({ ...good, email: 7 })).toMatchObject({ email: undefined });
});

it.each<[string, object]>([
  ['for another client', { aud: 'another' }],
  ['for other clients', { aud: ['another'] }],
  ['of another consent', { nonce: 'theirs' }],
  ['without a nonce', { nonce: undefined }],
  ['that has expired', { exp: NOW / 1_000 }],
  ['without an end', { exp: undefined }],
])('reads nothing from an id token %s', (_what, change) => {
  expect(claimsIn({ ...good, ...change })).toBeUndefined();
});

it.each(['', 'one', 'a.b.c', `a.${Buffer.from('null').toString('base64url')}.c`])('reads nothing from %j', (token) => {
  expect(idClaimsIn(secretOf(token), { clientId: 'client', nonce: 'n', now: NOW })).toBeUndefined();
});
