import { describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { demoLetters } from './demo-letters.ts';
import { demoMessages } from './demo-messages.ts';
import { toRaw } from './mime.ts';

const now = new Date('2026-06-01T12:00:00Z');
const letters = [...demoLetters({ seed: 7, count: 2_400, now })];
const share = (wanted: (letter: (typeof letters)[number]) => boolean) => letters.filter(wanted).length / letters.length;

describe('the demo mail', () => {
  it('is as much as was asked for, the same for the same seed, and another for another', () => {
    const raws = (seed: number) => [...demoMessages({ seed, count: 60, now })].map(({ raw }) => raw.toString());
    expect(letters).toHaveLength(2_400);
    expect(raws(7)).toEqual(raws(7));
    expect(raws(7)).not.toEqual(raws(8));
  });

  it('spans twelve months and ends by now', () => {
    const times = letters.map(({ date }) => date.getTime());
    expect(Math.max(...times)).toBeLessThanOrEqual(now.getTime());
    expect(now.getTime() - Math.max(...times)).toBeLessThan(3 * 86_400_000);
    expect(now.getTime() - Math.min(...times)).toBeGreaterThan(350 * 86_400_000);
  });

  it('names every letter once', () => {
    expect(new Set(letters.map(({ sourceKey }) => sourceKey)).size).toBe(letters.length);
    expect(new Set(letters.map(({ messageId }) => messageId)).size).toBe(letters.length);
  });

  it('has something in every folder of every mailbox, read and unread, starred, answered, with files', () => {
    expect(new Set(letters.map(({ mailbox, folderType }) => `${mailbox} ${folderType}`)).size).toBe(15);
    expect(share(({ isRead }) => !isRead)).toBeGreaterThan(0.03);
    expect(share(({ isStarred }) => isStarred)).toBeGreaterThan(0.005);
    expect(share(({ references }) => references.length > 1)).toBeGreaterThan(0.1);
    expect(share(({ attachments }) => attachments.length > 0)).toBeGreaterThan(0.08);
    expect(share(({ headers }) => 'List-Unsubscribe' in headers)).toBeGreaterThan(0.05);
  });

  it('leaves no gap unfilled', () => {
    for (const { subject, text } of letters) expect(`${subject}${text}`).not.toMatch(/\{\w+\}/);
  });

  it('keeps every line within what SMTP allows', () => {
    for (const letter of letters) {
      const raw = toRaw(letter).toString('latin1');
      expect(raw).not.toMatch(/[^\r]\n|[\x80-\xff]|[^\r\n]{999}/);
    }
  });

  it('says the same to a mail parser that it was made from', async () => {
    const sample = letters.filter((_, position) => position % 12 === 0);
    expect(new Set(sample.map(({ charset }) => charset)).size).toBe(3);
    for (const letter of sample) {
      const parsed = await simpleParser(toRaw(letter), { skipHtmlToText: true, skipTextToHtml: true });
      expect(parsed.subject ?? '').toBe(letter.subject);
      expect(parsed.from?.value[0]).toMatchObject({ address: letter.from.email, name: letter.from.name ?? '' });
      expect(parsed.text?.trimEnd()).toBe(letter.text.trimEnd());
      expect(parsed.date).toEqual(new Date(Math.floor(letter.date.getTime() / 1_000) * 1_000));
      expect(parsed.messageId).toBe(letter.messageId);
      expect(parsed.attachments.map(({ filename, size }) => [filename, size])).toEqual(
        letter.attachments.map(({ filename, size }) => [filename, size]),
      );
    }
  });
});
