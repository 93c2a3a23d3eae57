import { describe, expect, it } from '@jest/globals';
import { seenMail } from './seen-mail.test-support.ts';

const address = (email: string, name: string | null = null) => ({ email, name });
const bytesOf = (part: unknown) => Buffer.byteLength(JSON.stringify(part));
/** Each takes the most bytes for its tokens: escaped, of two bytes, of three, of four, and half of a pair. */
const COSTLY = ['"', '\\', '\n', 'ɏ', '語', '🎉', '\u0001', '\u2028', '\ud800'];

describe('an email as a model sees it', () => {
  it.each(COSTLY)('is bounded in each piece and in all together where everything in it is of %j', (character) => {
    const long = character.repeat(100_000);
    const people = Array.from({ length: 500 }, () => address(long, long));
    const attachments = Array.from({ length: 500 }, () => ({ filename: long, mimeType: long }));
    const seen = seenMail({
      from: address(long, long),
      to: people,
      cc: people,
      subject: long,
      attachments,
      text: long,
    });
    expect(bytesOf(seen.from)).toBeLessThanOrEqual(1_000);
    for (const list of [seen.to, seen.cc, seen.attachments]) {
      expect(list.length).toBeLessThanOrEqual(10);
      expect(bytesOf(list)).toBeLessThanOrEqual(3_000);
    }
    expect(bytesOf(seen.subject)).toBeLessThanOrEqual(1_602);
    expect(bytesOf(seen.text)).toBeLessThanOrEqual(24_002);
    expect(bytesOf(seen)).toBeLessThanOrEqual(36_000);
    expect(seen.recipients).toBe(1_000);
  });
});
