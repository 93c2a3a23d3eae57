import { expect, it } from '@jest/globals';
import { addressKey, domainKey, domainOf, isAddress, isDomain } from './address.ts';

it.each([
  'ann@example.com',
  'ann+news@localhost',
  'j\u00f6rg@b\u00fccher.example',
  "o'neil@a.b-c.example",
  'a=b?c@example.com',
])('takes %s', (address) => {
  expect(isAddress(address)).toBe(true);
});

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
  'a\u202e@example.com',
  'a\u200b@example.com',
  'a\ud800@example.com',
  '=?utf-8?q?a?=@example.com',
  'group:a@example.com;',
  `${'a'.repeat(250)}@example.com`,
])('refuses %j', (address) => {
  expect(isAddress(address)).toBe(false);
});

it.each([
  ['ann@Example.com', 'example.com'],
  ['"ceo@bank.example"@evil.example', 'evil.example'],
  ['"ceo@bank.example', ''],
  ['<a@evil.example> ceo@bank.example', ''],
  ['a b@bank.example', ''],
  ['root', ''],
])('knows the domain of %j', (address, domain) => {
  expect(domainOf(address)).toBe(domain);
});

it('takes a domain, and no address, list or space', () => {
  expect(['example.com', 'localhost', 'b\u00fccher.example', 'a@b', 'a b', 'a,b', 'a..b', ''].map(isDomain)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

it('compares addresses without capitals, and domains without their @ as well', () => {
  expect(addressKey(' Ann@Example.COM ')).toBe('ann@example.com');
  expect(domainKey(' @Example.COM ')).toBe('example.com');
});
