import { describe, expect, it } from '@jest/globals';
import { readLimit } from './paging.ts';

describe('limit', () => {
  it.each([
    ['1', 1],
    ['200', 200],
    ['007', 7],
    ['201', 200],
    ['99999999999999999999999999', 200],
  ])('%s is read as %d', (text, limit) => expect(readLimit(text)).toBe(limit));

  it.each([undefined, '', '0', '-1', '1.5', '10abc', 'abc', ' 5', '1e2', '٣'])('%s falls back to 50', (text) =>
    expect(readLimit(text)).toBe(50),
  );
});
