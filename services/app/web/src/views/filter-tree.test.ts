import { describe, expect, it } from '@jest/globals';
import {
  canAddGroup,
  countConditions,
  fromFilters,
  newGroup,
  replaceNode,
  toFilters,
  withField,
  withOperator,
  type BuilderCondition,
} from './filter-tree.ts';

let last = 0;
const newId = () => `n${++last}`;
const condition = (parts: Partial<BuilderCondition> = {}): BuilderCondition => ({
  id: 'c',
  label: 'subject',
  type: 'contains',
  value: 'x',
  ...parts,
});

describe('a stored tree, after the builder read it and writes it again', () => {
  it.each([
    ['nothing', {}],
    ['groups within groups', { id: 'a', _and: [condition(), { id: 'b', _or: [condition({ id: 'd' })] }] }],
  ])('is the same: %s', (_name, filters) => {
    expect(toFilters(fromFilters(filters, newId))).toEqual(filters);
  });

  it('has a group around a condition that stood alone', () => {
    const filters = toFilters(fromFilters(condition(), newId));
    expect(filters).toMatchObject({ _and: [condition()] });
  });

  it('has no empty groups', () => {
    expect(toFilters(newGroup(newId))).toEqual({});
    const within = { ...newGroup(newId), children: [newGroup(newId), condition()] };
    expect(toFilters(within)).toEqual({ id: within.id, _and: [condition()] });
  });
});

describe('a change of one node', () => {
  const root = fromFilters({ id: 'a', _and: [condition(), { id: 'b', _or: [condition({ id: 'd' })] }] }, newId);

  it('replaces it at any depth', () => {
    const changed = replaceNode(root, 'd', () => condition({ id: 'd', value: 'y' }));
    expect(JSON.stringify(toFilters(changed))).toContain('"value":"y"');
  });

  it('removes it, and leaves the tree as it was', () => {
    expect(countConditions(replaceNode(root, 'b', () => null))).toBe(1);
    expect(countConditions(root)).toBe(2);
  });

  it('never removes the root', () => {
    expect(replaceNode(root, 'a', () => null)).toBe(root);
  });
});

describe('another field or operator', () => {
  it('keeps the value while the operators are the same', () => {
    expect(withField(condition(), 'body')).toEqual(condition({ label: 'body' }));
  });

  it('takes an operator that the field has, and drops the value', () => {
    expect(withField(condition(), 'read_status')).toEqual(
      condition({ label: 'read_status', type: 'is_true', value: '' }),
    );
    expect(withField(condition(), 'date')).toMatchObject({ type: 'before', value: '' });
  });

  it('drops the value that the operator has no use for', () => {
    expect(withOperator(condition({ label: 'label' }), 'is_empty').value).toBe('');
    expect(withOperator(condition({ label: 'date', type: 'after', value: '2026-01-01' }), 'in_last_days').value).toBe(
      '',
    );
    expect(withOperator(condition(), 'equals').value).toBe('x');
  });
});

it('offers no group that would hold nothing: at the fourth level, conditions alone', () => {
  expect([1, 2, 3, 4].map(canAddGroup)).toEqual([true, true, true, false]);
});
