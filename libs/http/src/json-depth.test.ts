import { describe, expect, it } from '@jest/globals';
import { isDeeperThan } from './json-depth.ts';

const deeper = (limit: number, text: string) => isDeeperThan(limit, Buffer.from(text));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('isDeeperThan', () => {
  it('lets the limit itself pass', () => {
    expect(deeper(32, nested(32))).toBe(false);
    expect(deeper(32, nested(33))).toBe(true);
  });

  it('counts arrays and objects alike, and siblings once', () => {
    expect(deeper(2, '[{},{},[],{"a":1}]')).toBe(false);
    expect(deeper(2, '[{"a":[]}]')).toBe(true);
  });

  it('does not count brackets inside strings, escaped quotes included', () => {
    expect(deeper(1, JSON.stringify(['[[[[{{{{', 'a"[[[', '\\', '[[']))).toBe(false);
  });

  it('counts what is not valid JSON too', () => {
    expect(deeper(3, '[[[[')).toBe(true);
    expect(deeper(3, '"[[[[')).toBe(false);
  });
});
