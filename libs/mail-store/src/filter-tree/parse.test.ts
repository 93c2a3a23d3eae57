import { ApiError } from '@postroom/errors/api-error';
import { describe, expect, it } from '@jest/globals';
import { parseFilters } from './parse.ts';
import type { Condition, FilterTree } from './tree.ts';

const condition = (parts: object = {}): Condition => ({
  id: 'c',
  label: 'subject',
  type: 'contains',
  value: 'x',
  ...parts,
});
const and = (...children: unknown[]) => ({ id: 'g', _and: children });

function faultsOf(tree: unknown): Record<string, unknown> {
  try {
    parseFilters(typeof tree === 'string' ? tree : JSON.stringify(tree));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'VALIDATION_FAILED') return error.details ?? {};
    throw error;
  }
  return {};
}
const nested = (levels: number): object => (levels === 1 ? condition() : and(nested(levels - 1)));

describe('a filter tree is taken', () => {
  const good: [string, FilterTree][] = [
    ['when it is empty', {}],
    ['when it is one condition', condition()],
    ['with an id of 64 code points', condition({ id: '🎉'.repeat(64) })],
    ['with an empty group', { id: 'g', _or: [] }],
    ['with five levels', nested(5) as FilterTree],
    ['with 50 conditions', and(...Array.from({ length: 50 }, () => condition())) as FilterTree],
    ['with a value of 500 code points', condition({ value: '🎉'.repeat(500) })],
    ['with a date and a time', condition({ label: 'date', type: 'after', value: '2026-02-28T10:00:00+02:00' })],
  ];
  it.each(good)('%s', (_name, tree) => expect(parseFilters(JSON.stringify(tree))).toEqual(tree));
});

describe('400 VALIDATION_FAILED names the path of the fault', () => {
  const bad: [string, unknown, string][] = [
    ['what is not JSON', '{', 'filters'],
    ['null', null, 'filters'],
    ['an array', [], 'filters'],
    ['a node that is nothing', and({}), 'filters._and[0]'],
    ['a node that is two things', { ...condition(), _and: [] }, 'filters'],
    ['a node with an id of 65 code points', and(condition({ id: 'x'.repeat(65) })), 'filters._and[0].id'],
    ['a group without id', { _and: [] }, 'filters.id'],
    ['children that are no array', { id: 'g', _or: {} }, 'filters._or'],
    ['an unknown field', and(condition(), condition({ label: 'size' })), 'filters._and[1].label'],
    ['a field of the engine', condition({ label: '__proto__' }), 'filters.label'],
    ['an unknown operator', and(condition(), condition({ type: '$gt' })), 'filters._and[1].type'],
    ['an operator of another field', condition({ label: 'read_status', value: '' }), 'filters.type'],
    ['a value that is no text', condition({ value: { $ne: '' } }), 'filters.value'],
    ['a missing value', condition({ value: undefined }), 'filters.value'],
    ['an unknown property', condition({ flags: 'i' }), 'filters.flags'],
    ['a value of 501 code points', condition({ value: 'x'.repeat(501) }), 'filters.value'],
    ['a NUL in an id', condition({ id: 'a\0' }), 'filters.id'],
    ['a NUL in a value', condition({ value: 'a\0' }), 'filters.value'],
    ['half a surrogate pair', condition({ value: '\ud83c' }), 'filters.value'],
    ['51 conditions', and(...Array.from({ length: 51 }, () => condition())), 'filters'],
    ['six levels', nested(6), 'filters._and[0]._and[0]._and[0]._and[0]._and[0]'],
    ['a day that is none', condition({ label: 'date', type: 'on', value: '2026-02-30' }), 'filters.value'],
    ['no days at all', condition({ label: 'date', type: 'in_last_days', value: '0' }), 'filters.value'],
    ['too many days', condition({ label: 'date', type: 'in_last_days', value: '3651' }), 'filters.value'],
    ['an unknown folder', condition({ label: 'folder', type: 'equals', value: 'inbox' }), 'filters.value'],
    ['a value where none belongs', condition({ label: 'star_status', type: 'is_true', value: 'yes' }), 'filters.value'],
    ['an empty label', condition({ label: 'label', value: '' }), 'filters.value'],
    ['no domain', condition({ label: 'sender_domain', type: 'equals', value: '@' }), 'filters.value'],
  ];
  it.each(bad)('for %s', (_name, tree, path) => {
    expect(faultsOf(tree)).toEqual({ [path]: [expect.any(String)] });
  });

  it('for a tree of more than 8 KB', () => {
    const long = and(...Array.from({ length: 17 }, () => condition({ value: 'x'.repeat(500) })));
    expect(faultsOf(long)).toEqual({ filters: [expect.any(String)] });
  });

  it('with every fault at once, and not more than twenty', () => {
    expect(Object.keys(faultsOf(and(condition({ type: 'is' }), condition({ label: 'x' }))))).toHaveLength(2);
    expect(Object.keys(faultsOf(and(...Array.from({ length: 40 }, () => null))))).toHaveLength(20);
  });
});
