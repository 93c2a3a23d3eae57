import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold } from './fold.ts';
import { emailWords, wordsIn } from './words.ts';

describe('words of a text', () => {
  it('ignores case and accents in every script', () => {
    expect(wordsIn('Café ÉCOLE Straße Привет')).toEqual(['cafe', 'ecole', 'strasse', 'привет']);
  });

  it('cuts an unspaced script into pairs, so that a part of a phrase is found', () => {
    expect(wordsIn('請求書')).toEqual(['請求', '求書']);
    expect(wordsIn('請求')).toEqual(['請求']);
  });

  it('has a part of a phrase in every script without spaces, whatever signs it shares with others', () => {
    const parts: [phrase: string, part: string][] = [
      ['日本語のメールです', 'メール'],
      ['ﾒｰﾙ', 'メール'],
      ['サーバーの障害', 'サーバー'],
      ['佐々木様', '佐々木'],
      ['ຂໍຂອບໃຈຫຼາຍ', 'ຂອບໃຈ'],
      ['សូមអរគុណច្រើន', 'អរគុណ'],
      ['ကျေးဇူးတင်ပါတယ်', 'တင်ပါ'],
      ['ขอบคุณมาก', 'คุณ'],
      ['PDF請求書', '請求書'],
      ['Straßenfest', 'STRASSENFEST'],
    ];
    for (const [phrase, part] of parts) expect(wordsIn(phrase)).toEqual(expect.arrayContaining(wordsIn(part)));
    expect(wordsIn('メール')).toEqual(['メー', 'ール']);
    expect(wordsIn('PDF請求書')).toEqual(['pdf', '請求', '求書']);
    expect(wordsIn('これ。それ')).toEqual(['これ', 'それ']);
  });

  it('keeps an emoji as a word', () => {
    expect(wordsIn('party 🎉 tonight')).toEqual(['party', '🎉', 'tonight']);
  });

  it('takes an address apart the same way on both sides', () => {
    expect(wordsIn('Bob <bob.smith@example.com>')).toEqual(['bob', 'smith', 'example', 'com']);
  });

  it('gives nothing for text without words, operators included', () => {
    expect(wordsIn('$.* () -- "" ')).toEqual([]);
  });

  it('marks where a word stands, the subject and people before the text', () => {
    expect(emailWords('Invoice May', 'the invoice is due')).toEqual(['h:invoice', 'h:may', 't:the', 't:is', 't:due']);
  });
});

describe('plain text', () => {
  it('folds and falls into words as it does beside letters that are not plain', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'aZ09 \t\n.#*-_\u0000\u001f\u007f'), maxLength: 60 });
    fc.assert(
      fc.property(plain, (text) => {
        expect(fold(`${text}é`)).toBe(fold(`${text}e`));
        expect(wordsIn(`${text} É`)).toEqual(wordsIn(`${text} E`));
      }),
    );
  });
});
