import { expect, it } from '@jest/globals';
import { isPublicProvider } from './public-providers.ts';

it.each(['gmail.com', 'yahoo.co.uk', 'gmx.de', 'outlook.com', 't-online.de', 'qq.com'])(
  '%s is a provider of anybody',
  (domain) => expect(isPublicProvider(domain)).toBe(true),
);

it.each(['acme.example', 'acme.gmail.example', 'notgmail.com', 'com', ''])('%s is a domain of its own', (domain) =>
  expect(isPublicProvider(domain)).toBe(false),
);
