import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { name, patterns, text, trimmedText } from './text.ts';

const SPAN = { min: 1, max: 50 };
const kinds: [string, z.ZodType, string][] = [
  ['text', text(SPAN), patterns.text],
  ['trimmed text', trimmedText(SPAN), patterns.trimmed],
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

describe('the pattern that describes a name', () => {
  it.each(['', ' ', 'a\nb', 'a\u0007', 'a\u2028b', 'a\u202eb', '\u2066a', '\u200b', '\u3164', '\u2800 '])(
    'refuses %j, as the schema does',
    (value) => {
      expect(name(SPAN).safeParse(value).success).toBe(false);
      expect(value).not.toMatch(new RegExp(patterns.name, 'u'));
    },
  );
});
