import { describe, expect, it } from '@jest/globals';
import { readHeader } from './header-block.ts';
import { messageBounds } from './message-bounds.ts';

const read = (...lines: string[]) => {
  const raw = Buffer.from([...lines, '', 'body'].join('\r\n'));
  return readHeader(raw, 0, raw.length, messageBounds).header;
};

describe('a header', () => {
  it.each(['Not a name: x', 'no colon at all', ': x', '>From somebody'])(
    'adds the lines that are folded under "%s" to no field',
    (line) => {
      const header = read('From: ann@evil.example', line, ' <ceo@bank.example>', 'To: bob@x.example');
      expect(header.all('from')).toEqual(['ann@evil.example']);
      expect(header.first('to')).toBe('bob@x.example');
    },
  );

  it.each(['From\u00a0', '\u00a0From', '\u3000From', 'From\u2003', '\ufeffFrom', '\u0085From', '\u000bFrom'])(
    'takes "%s", which other programs do not read, for no From field',
    (name) => {
      const header = read('Received: by x.example', `${name}: ceo@bank.example`, 'From: ann@evil.example');
      expect(header.all('from')).toEqual(['ann@evil.example']);
    },
  );

  it('reads a field whose name has space behind it, and one of no value', () => {
    const header = read('From \t: ann@x.example', 'Subject:', 'X-Long: one', '\ttwo');
    expect(header.first('from')).toBe('ann@x.example');
    expect(header.first('subject')).toBe('');
    expect(header.first('x-long')).toBe('one\ttwo');
  });
});
