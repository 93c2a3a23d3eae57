import { expect, it } from '@jest/globals';
import { addressKey, isAddress } from './address.ts';

it.each(['ann@example.com', 'ann+news@localhost', 'jörg@bücher.example', "o'neil@a.b-c.example"])(
  'takes %s',
  (address) => {
    expect(isAddress(address)).toBe(true);
  },
);

it.each([
  '',
  'ann',
  'ann@',
  '@example.com',
  'a@b@c',
  'a b@example.com',
  'a@example..com',
  'a,b@example.com',
  '"a"@example.com',
  'Ann <a@example.com>',
  'a@example.com\r\nBcc: x@example.com',
  'a\u0000@example.com',
  `${'a'.repeat(250)}@example.com`,
])('refuses %j', (address) => {
  expect(isAddress(address)).toBe(false);
});

it('compares addresses without capitals', () => {
  expect(addressKey(' Ann@Example.COM ')).toBe('ann@example.com');
});
