import { describe, expect, it } from '@jest/globals';
import { faultInName, faultInText } from './text.ts';

describe('a text', () => {
  it('is counted in code points', () => {
    expect(faultInText('\u{1f44d}'.repeat(3), { min: 3, max: 3 })).toBeUndefined();
  });

  it.each([
    ['', 'must have at least 1 character'],
    ['abcd', 'must have at most 3 characters'],
    ['a\0', 'must not hold a NUL character'],
    ['a\ud800', 'must be valid Unicode'],
  ])('%j: %s', (text, fault) => {
    expect(faultInText(text, { min: 1, max: 3 })).toBe(fault);
  });
});

describe('a name', () => {
  it.each([
    'Invoices',
    'R\u00e9union',
    '\u{1f9fe} Rechnungen',
    '\u0645\u0631\u062d\u0628\u0627',
    '\u{1f468}\u200d\u{1f4bb}',
  ])('may be %s', (name) => {
    expect(faultInName(name, { min: 1, max: 50 })).toBeUndefined();
  });

  it.each([
    'two\nlines',
    'two\u2028lines',
    'bell\u0007',
    'a\u202ebc',
    '\u2067a',
    '\u200b',
    '\u3164',
    '\u2800',
    '\u00ad',
  ])('may not be %j', (name) => {
    expect(faultInName(name, { min: 1, max: 50 })).toMatch(/^must /);
  });
});
