import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ParsedMail, simpleParser } from 'mailparser';
import { demoMail, type DemoMessage } from './demo-mail.ts';

const now = new Date('2026-06-01T12:00:00Z');
const make = async (seed: number, count: number) => {
  const messages: DemoMessage[] = [];
  for await (const message of demoMail({ seed, count, now })) messages.push(message);
  return messages;
};
const raws = async (seed: number) => (await make(seed, 60)).map(({ raw }) => raw.toString());

let messages: DemoMessage[];
let parsed: ParsedMail[];
beforeAll(async () => {
  messages = await make(7, 1_200);
  parsed = await Promise.all(messages.map(({ raw }) => simpleParser(raw, { skipHtmlToText: true })));
});

describe('the demo mail', () => {
  it('has as many messages as asked for: the same for the same seed, others for another seed', async () => {
    expect(messages).toHaveLength(1_200);
    const first = await raws(7);
    expect(await raws(7)).toEqual(first);
    expect(await raws(8)).not.toEqual(first);
  });

  it('spans twelve months and ends by now', () => {
    const ages = messages.map(({ receivedAt }) => (now.getTime() - Date.parse(receivedAt)) / 86_400_000);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...ages)).toBeLessThan(3);
    expect(Math.max(...ages)).toBeGreaterThan(350);
  });

  it('gives each message its own source key and Message-ID', () => {
    expect(new Set(messages.map(({ sourceKey }) => sourceKey)).size).toBe(messages.length);
    expect(new Set(parsed.map(({ messageId }) => messageId)).size).toBe(messages.length);
  });

  it('has mail in every folder of every mailbox: unread, starred, answered, with files, from lists', () => {
    const share = (wanted: readonly boolean[]) => wanted.filter(Boolean).length / messages.length;
    expect(new Set(messages.map(({ mailbox, folderType }) => `${mailbox} ${folderType}`)).size).toBe(15);
    expect(share(messages.map(({ isRead }) => !isRead))).toBeGreaterThan(0.03);
    expect(share(messages.map(({ isStarred }) => isStarred))).toBeGreaterThan(0.005);
    expect(share(parsed.map(({ references }) => Array.isArray(references)))).toBeGreaterThan(0.1);
    expect(share(parsed.map(({ attachments }) => attachments.length > 0))).toBeGreaterThan(0.08);
    expect(share(parsed.map(({ headers }) => headers.has('list')))).toBeGreaterThan(0.05);
  });

  it('varies enough for search: most subjects and senders are met rarely', () => {
    expect(new Set(parsed.map(({ subject }) => subject)).size).toBeGreaterThan(400);
    expect(new Set(parsed.map(({ from }) => from?.value[0]?.address)).size).toBeGreaterThan(100);
  });

  it('fills every gap of a template', () => {
    for (const { subject, text, html } of parsed) expect(`${subject}${text}${html}`).not.toMatch(/\{\w+\}/);
  });
});
