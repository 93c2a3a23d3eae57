import { describe, expect, it } from '@jest/globals';
import { readFilterValue } from './filter-value.ts';

describe('the value of an inbox filter', () => {
  it.each([
    ['sender', ' News@Example.COM ', 'news@example.com', 'news@example.com'],
    ['domain', '@Example.COM', 'example.com', 'example.com'],
    ['domain', 'bücher.example', 'bücher.example', 'bücher.example'],
    ['subject', 'Weekly  Café', 'Weekly  Café', 'weekly café'],
    ['label', 'lbl_1', 'lbl_1', 'lbl_1'],
  ])('%s %j is kept as %j and compared as %j', (type, value, kept, key) => {
    expect(readFilterValue(type, value)).toEqual({ type, value: kept, valueKey: key });
  });

  it.each([
    ['folder', 'INBOX'],
    ['toString', 'x'],
    ['sender', 'example.com'],
    ['sender', 'a@b.c, d@e.f'],
    ['sender', 'Ann <a@b.c>'],
    ['sender', 'a@b@c'],
    ['domain', '@'],
    ['domain', 'a@b.c'],
    ['domain', 'two words'],
    ['subject', ' '],
    ['subject', ''],
  ])('400 VALIDATION_FAILED for %s %j', (type, value) => {
    expect(() => readFilterValue(type, value)).toThrow('not valid');
  });
});
