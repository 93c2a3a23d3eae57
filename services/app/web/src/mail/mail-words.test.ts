import { describe, expect, it } from '@jest/globals';
import { inWrittenOrder, nameOf, withAddress } from './mail-words.ts';

describe('words that strangers choose', () => {
  it.each(['\u202e', '\u202d', '\u202b', '\u2067', '\u2069\u202e'])('turn no address around by %j', (sign) => {
    const person = { name: `ceo@bank.example ${sign}`, email: 'moc.knab@evil.example' };
    expect(withAddress(person)).toBe('ceo@bank.example <moc.knab@evil.example>');
    expect(nameOf(person)).toBe('ceo@bank.example');
    expect(inWrittenOrder(`invoice${sign}fdp.exe`)).toBe('invoicefdp.exe');
  });

  it('are left out where nothing else stands there', () => {
    expect(withAddress({ name: '\u202e', email: 'a@b.example' })).toBe('a@b.example');
    expect(nameOf({ name: '\u202e', email: 'a@b.example' })).toBe('a@b.example');
  });
});
