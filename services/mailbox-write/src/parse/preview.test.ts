import { describe, expect, it } from '@jest/globals';
import { ownLines } from '@postroom/mime/own-lines';
import { asksSomething, snippetOf } from './preview.ts';

describe('the words of the sender', () => {
  it('ends at the signature, at a quotation and at the line that announces one', () => {
    expect([...ownLines('Hello\n\n> old\nBye\n-- \nAnn')]).toEqual(['Hello', 'Bye']);
    expect([...ownLines('Hello\nOn Tue, 3 Mar 2026, Bob wrote:\nold')]).toEqual(['Hello']);
    expect([...ownLines('Hello\n-----Original Message-----\nold')]).toEqual(['Hello']);
  });

  it('is the preview; a mail of quotations alone previews those', () => {
    expect(snippetOf('Hello\n  there\n> old', '')).toBe('Hello there');
    expect(snippetOf('> old', '> old')).toBe('> old');
    expect([...snippetOf('🎉'.repeat(500), '')]).toHaveLength(200);
  });

  it('asks something when a question mark stands in it, links aside', () => {
    expect(asksSomething(['Can you come?'])).toBe(true);
    expect(asksSomething(['来られますか？'])).toBe(true);
    expect(asksSomething(['See https://x.example/?a=1 for more.'])).toBe(false);
  });
});
