import { describe, expect, it } from '@jest/globals';
import { messageIds, ownMessageId } from './message-ids.ts';

describe('message ids', () => {
  it('are read in their order, each once, folded or not', () => {
    expect(messageIds('<a@x>\r\n <b@x> <a@x>')).toEqual(['<a@x>', '<b@x>']);
  });

  it('are found without brackets, and words of a comment are none', () => {
    expect(messageIds('a@x, your message of b@y')).toEqual(['<a@x>', '<b@y>']);
    expect(messageIds('Your message of Tuesday')).toEqual([]);
  });

  it('of a conversation without end the first and the newest are kept', () => {
    const kept = messageIds(Array.from({ length: 5_000 }, (_, n) => `<${n}@x>`).join(' '));
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, '<0@x>', '<4999@x>']);
  });

  it.each([
    ['<a@x>', '<a@x>'],
    ['  a@x ', '<a@x>'],
    ['<a b@x>', '<ab@x>'],
    ['<>', ''],
    [undefined, ''],
  ])('a message’s own: %s', (field, expected) => {
    expect(ownMessageId(field)).toBe(expected);
  });

  it('are whole, or none: two that begin alike are two', () => {
    const [one, other] = ['1', '2'].map((end) => `<${'m'.repeat(990)}${end}@x>`);
    expect([ownMessageId(one), ownMessageId(other)]).toEqual([one, other]);
    expect(ownMessageId(`<${'m'.repeat(1_000)}>`)).toBe('');
  });
});
