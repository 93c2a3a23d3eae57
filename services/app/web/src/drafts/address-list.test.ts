import { expect, it } from '@jest/globals';
import { readAddresses, withoutName } from './address-list.ts';

it('reads addresses between commas, semicolons and line breaks, and tells what is none', () => {
  expect(readAddresses(' a@x.example; b@y.example,\n c@z.example,, ')).toEqual({
    addresses: ['a@x.example', 'b@y.example', 'c@z.example'],
    faulty: [],
  });
  expect(readAddresses('a@x.example, nobody')).toEqual({ addresses: ['a@x.example'], faulty: ['nobody'] });
  expect(readAddresses('')).toEqual({ addresses: [], faulty: [] });
});

it('takes the name off an address that is shown with it', () => {
  expect(withoutName('a@x.example (named “Ann (b) “c””)')).toBe('a@x.example');
  expect(withoutName('a@x.example')).toBe('a@x.example');
});
