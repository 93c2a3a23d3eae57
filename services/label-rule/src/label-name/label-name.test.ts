import { describe, expect, it } from '@jest/globals';
import { deletedNameKeyOf, nameKeyOf } from './label-name.ts';

describe('the key of a label name', () => {
  it.each([
    ['Invoices', 'INVOICES'],
    ['  Invoices ', 'invoices'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Caf\u00e9', 'CAFE\u0301'],
    ['Invoices', 'Inv\u200boi\u2060ces\ufeff'],
    ['Invoices', 'I\u00adnvoices\u{e0041}'],
  ])('is one for %j and %j', (one, other) => {
    expect(nameKeyOf(one)).toBe(nameKeyOf(other));
  });

  it.each([
    ['Cafe', 'Café'],
    ['a b', 'ab'],
    ['ﬁ', 'fj'],
  ])('tells %j from %j', (one, other) => {
    expect(nameKeyOf(one)).not.toBe(nameKeyOf(other));
  });

  it('cannot be the key of a deleted label, whatever the name', () => {
    expect(nameKeyOf(deletedNameKeyOf('lbl_1'))).not.toBe(deletedNameKeyOf('lbl_1'));
  });
});
