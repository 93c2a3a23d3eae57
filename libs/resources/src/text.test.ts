import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { name, patterns, boundedText, trimmedText } from './text.ts';

const SPAN = { min: 1, max: 50 };
const kinds: [string, z.ZodType, string][] = [
  ['text', boundedText(SPAN), patterns.text],
  ['trimmed text', trimmedText(SPAN), patterns.trimmed(SPAN)],
  ['a name', name(SPAN), patterns.name],
];
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\0',
      '\n',
      '\u0085',
      '\u2028',
      '\u202e',
      '\u200b',
      '\u2800',
      '\ufeff',
      '\u{1f389}',
    ),
  }),
);

describe.each(kinds)('the pattern that describes %s', (_what, schema, pattern) => {
  it('refuses nothing that is taken', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        fc.pre(schema.safeParse(value).success);
        expect(value).toMatch(new RegExp(pattern, 'u'));
      }),
    );
  });

  it('refuses a NUL, as the schema does', () => {
    expect(schema.safeParse('a\0b').success).toBe(false);
    expect('a\0b').not.toMatch(new RegExp(pattern, 'u'));
  });
});

it('spaces at the ends count as what is sent, and not as what is kept', () => {
  expect(trimmedText(SPAN).safeParse(` ${'x'.repeat(50)}`).error?.issues).toHaveLength(1);
  expect(trimmedText({ min: 2, max: 50 }).safeParse('  x ').success).toBe(false);
  expect('  x ').not.toMatch(new RegExp(patterns.trimmed({ min: 2, max: 50 }), 'u'));
  expect('  x y').toMatch(new RegExp(patterns.trimmed({ min: 2, max: 50 }), 'u'));
});

it('the pattern of a domain refuses what is none in any language, and takes what is one', () => {
  const domain = new RegExp(patterns.domain, 'u');
  for (const good of ['a.example', '@Example.com', ' b\u00fccher.example', 'x_1', 'a-b.c'])
    expect(good).toMatch(domain);
  for (const bad of ['', 'a..b', '.a', 'a-', 'a b', 'a@b', 'D\u00810']) expect(bad).not.toMatch(domain);
});

describe('the pattern that describes a name', () => {
  it.each(['', ' ', 'a\nb', 'a\u0007', 'a\u2028b', 'a\u202eb', '\u2066a', '\u200b', '\u3164', '\u2800 '])(
    'refuses %j, as the schema does',
    (value) => {
      expect(name(SPAN).safeParse(value).success).toBe(false);
      expect(value).not.toMatch(new RegExp(patterns.name, 'u'));
    },
  );
});
