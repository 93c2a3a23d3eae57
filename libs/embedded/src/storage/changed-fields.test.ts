import { expect, it } from '@jest/globals';
import { encodeDocument } from '../bson/value.ts';
import { changedFields } from './changed-fields.ts';

const between = (before: object, after: object): string[] =>
  [...changedFields(encodeDocument(before), encodeDocument(after))].toSorted();

it('names what was set, added and taken away', () => {
  expect(between({ _id: 1, a: 1, b: [1, 2], c: 'x' }, { _id: 1, a: 1, b: [1, 3], d: null })).toEqual(['b', 'c', 'd']);
});

it('names nothing where only the order differs', () => {
  expect(between({ _id: 1, a: 1, b: 2, c: 3 }, { _id: 1, c: 3, a: 1, b: 2 })).toEqual([]);
});

it('tells values of different types apart', () => {
  expect(between({ _id: 1, a: 1, b: 'x' }, { _id: 1, a: 1.5, b: 'x' })).toEqual(['a']);
});
