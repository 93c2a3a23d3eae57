import { describe, expect, it } from '@jest/globals';
import type { ThreadText } from '../model/model.ts';
import { ownWords, toThreadText } from './thread-text.ts';

const bytesOf = (part: unknown) => Buffer.byteLength(JSON.stringify(part));
/** Each takes the most bytes for its tokens: escaped, of two bytes, of three, of four, and half of a pair. */
const COSTLY = ['"', '\\', '\n', 'ɏ', '語', '🎉', '\u0001', '\u2028', '\ud800'];

describe('an earlier message of a thread', () => {
  const words = (text: string) => ownWords({ by: 'owner', date: new Date(0), html: null, text }).text;
  const page = (html: string) => ownWords({ by: 'owner', date: new Date(0), html, text: null }).text;

  it.each([
    ['a reply', 'Yes.\n\nOn Tue, 3 Mar 2026, Carol wrote:\n> secret'],
    ['a reply without a line before', 'Yes.\n> secret'],
    ['a forward', 'Yes.\n---------- Forwarded message ----------\nFrom: Carol\nsecret'],
    ['a forward of another program', 'Yes.\nBegin forwarded message:\nFrom: Carol\nsecret'],
    ['a heading', 'Yes.\nFrom: Carol <carol@x.example>\nSent: Tuesday\nTo: Ann\nsecret'],
    ['a heading in bold', 'Yes.\n*Von:* Carol\n*Gesendet:* Dienstag\nsecret'],
    ['a signature', 'Yes.\n-- \nsecret'],
  ])('has the words of whoever wrote it alone: %s', (_what, text) => expect(words(text)).toBe('Yes.'));

  it.each([
    ['a quotation', '<p>Yes.</p><blockquote>secret</blockquote>'],
    ['a quotation of Gmail', '<p>Yes.</p><div class="gmail_quote">secret</div>'],
    ['hidden text', '<p>Yes.<span style="font-size:0">secret</span></p>'],
  ])('and of a page: %s', (_what, html) => expect(page(html)).toBe('Yes.'));

  it.each(COSTLY)('is bounded, and so are all together, in %j', (character) => {
    const one = ownWords({ by: 'sender', date: new Date(0), html: null, text: `x${character.repeat(50_000)}` });
    expect(bytesOf(one.text)).toBeLessThanOrEqual(2_402);
    const thread = toThreadText(Array.from({ length: 40 }, () => one));
    expect(thread.length).toBeLessThanOrEqual(6);
    expect(bytesOf(thread)).toBeLessThanOrEqual(10_200);
  });

  it('is the newest six, in the order of the conversation', () => {
    const thread = Array.from({ length: 8 }, (_, n): ThreadText => ({ by: 'sender', date: '', text: `${n}` }));
    expect(toThreadText(thread).map(({ text }) => text)).toEqual(['5', '4', '3', '2', '1', '0']);
  });
});
