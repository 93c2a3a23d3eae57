import { expect, it } from '@jest/globals';
import { readState, withChanges, withCursor, withQuery } from './query.ts';

it('reads the names that the page has, and nothing that is empty', () => {
  expect(readState(new URLSearchParams('from=2026-01-01&action=&other=1'), ['from', 'action'])).toEqual({
    from: '2026-01-01',
  });
});

it('changes what is named, drops what is empty, and leaves the rest', () => {
  const params = new URLSearchParams('a=1&b=2&c=3');
  expect(withChanges(params, { a: '9', b: null }).toString()).toBe('a=9&c=3');
  expect(params.toString()).toBe('a=1&b=2&c=3');
});

it('writes a path with its query, whatever people typed', () => {
  expect(withQuery('/activity', { from: '', actor: undefined })).toBe('/activity');
  expect(withQuery('/activity', { actor: 'a&b=ü?' })).toBe('/activity?actor=a%26b%3D%C3%BC%3F');
  expect(withCursor('/activity?actor=a%26b', 'x=')).toBe('/activity?actor=a%26b&cursor=x%3D');
  expect(withCursor('/activity', '')).toBe('/activity');
});
