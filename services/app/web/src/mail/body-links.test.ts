import { describe, expect, it } from '@jest/globals';
import { linkPieces } from './body-links.ts';

describe('the addresses in plain text', () => {
  it('are told apart, without the sign behind them', () => {
    expect(linkPieces('See https://a.example/x?y=1. Then (http://b.example)!')).toEqual([
      { text: 'See ' },
      { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
      { text: '. Then (' },
      { text: 'http://b.example', href: 'http://b.example' },
      { text: ')!' },
    ]);
  });

  it('are those of the web alone', () => {
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'https://', 'no address', ''])
      expect(linkPieces(text).some(({ href }) => href !== undefined)).toBe(false);
  });

  it('hold together with the rest all of the text', () => {
    const text = 'a https://x.example, https://y.example/… ' + 'https://z.example/)))'.repeat(3);
    expect(
      linkPieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
