import { describe, expect, it } from '@jest/globals';
import { hidesCharacters, hidesText } from './hides-text.ts';

describe('hidesText', () => {
  it.each([
    '<p>Hello <b>Ann</b>,</p><ul><li>one &amp; two</li></ul>',
    '<style>p { color: red }</style><p>Hello</p>',
    '<p>Hello<br>there</p>',
    '',
  ])('is false where readers see everything: %s', (html) => expect(hidesText(html)).toBe(false));

  it.each([
    '<p>Hello</p><div style="display:none">the secret</div>',
    '<p>Hello</p><p style="color:#fff;background:#fff">the secret</p>',
    '<p>Hello</p><!-- the secret -->',
    '<p>Hello</p><textarea>the secret</textarea>',
    '<p>Hel\u200blo</p>',
    `<p>Hello</p>${String.fromCodePoint(0xe0061, 0xe0062)}`,
  ])('is true where the message says more than that: %s', (html) => expect(hidesText(html)).toBe(true));
});

it('hidesCharacters finds characters without width', () => {
  expect([hidesCharacters('Hello, Ann\n'), hidesCharacters('Hel\u200blo')]).toEqual([false, true]);
});
