import { describe, expect, it } from '@jest/globals';
import { decodeWords } from './encoded-words.ts';
import { parseMessage } from './message.ts';

const subjectOf = (...pieces: (string | number)[]) => {
  const bytes = pieces.map((piece) => (typeof piece === 'number' ? Buffer.from([piece]) : Buffer.from(piece)));
  return parseMessage(Buffer.concat([Buffer.from('Subject: '), ...bytes, Buffer.from('\r\n\r\n')])).subject;
};

describe('encoded words', () => {
  it('keep their spaces, at the end too', () => {
    expect(decodeWords('=?utf-8?Q?a_b_?= =?utf-8?Q?=20c?=')).toBe('a b  c');
    expect(decodeWords('=?utf-8?Q?a ?= =?utf-8?Q?c?=')).toBe('a c');
  });

  it('a raw byte inside of one belongs to its charset, not to that of the header', () => {
    expect(subjectOf('=?iso-8859-1?Q?caf', 0xe9, '?=')).toBe('café');
    expect(subjectOf('=?koi8-r?q?', 0xf0, 0xd2, 0xc9, '?= und Gr', 0xfc, 0xdf, 'e')).toBe('При und Grüße');
    expect(subjectOf('=?utf-8?Q?Gr', 0xc3, 0xbc, '=C3=9Fe?=')).toBe('Grüße');
    expect(subjectOf('=?utf-8?B?R3L', 0xe9, 'DvMOfZQ==?=')).toBe('Grüße');
  });
});
