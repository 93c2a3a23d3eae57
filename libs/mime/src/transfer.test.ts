import { describe, expect, it } from '@jest/globals';
import { decodedSize, decodeTransfer } from './transfer.ts';

const read = (text: string, encoding: string) => decodeTransfer(Buffer.from(text, 'latin1'), encoding).toString();

describe('transfer encodings', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is one that nobody knows', (encoding) => {
    expect(read('as it is', encoding)).toBe('as it is');
    expect(decodedSize(Buffer.from('as it is'), encoding)).toBe(8);
  });

  it('base64 passes over what is none of its letters, those of base64url too', () => {
    expect(read('SGV-sb_G8=', 'base64')).toBe('Hello');
    expect(decodedSize(Buffer.from('SGV-sb_G8='), 'base64')).toBe(5);
  });

  it.each([
    ['a  \r\nb\t\r\nc', 'a\r\nb\r\nc'],
    ['a \nb', 'a\nb'],
    ['=41 \t', 'A'],
    ['a=20\r\nb', 'a \r\nb'],
    ['a=20 \r\nb', 'a \r\nb'],
    ['a =\r\n\r\nb', 'a \r\nb'],
    ['a =  \r\nb', 'a b'],
    [' \r\n  a', '\r\n  a'],
  ])('quoted-printable: white space at the end of a line is none of the text: %j', (text, expected) => {
    expect(read(text, 'quoted-printable')).toBe(expected);
  });
});
