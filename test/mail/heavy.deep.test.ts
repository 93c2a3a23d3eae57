import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bounds } from '@postroom/contract/bounds';
import type { QuarantinedMessageDocument } from '@postroom/mail-store/documents/email';
import { readMail } from '../../services/mailbox-write/src/parse/parsed-mail.ts';
import { rawMessage } from '../support/message.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { mailProcess } from './mail-process.ts';
import { type MailService, startMailService } from './mail-service.ts';

const MEGABYTE = 1024 * 1024;

/** Parts whose media types, names and recipients go to every bound that the parser has: 9 MB of them. */
function heavyMail(n: number): Buffer {
  const type = (part: number) => `image/${'x'.repeat(250_000)}${part}`;
  const parts = Array.from(
    { length: 36 },
    (_, part) => `--b\r\nContent-Type: ${type(part)}; name="${part}.png"\r\n\r\nx\r\n`,
  );
  const people = (count: number) =>
    Array.from({ length: count }, (_, p) => `"${'y'.repeat(180)}" <${p}@${'z'.repeat(60)}>`);
  const head = [
    'From: Ann <ann@x.example>',
    `To: ${people(980).join(', ')}`,
    `Cc: ${people(980).join(', ')}`,
    `References: ${Array.from({ length: 900 }, (_, id) => `<${id}@${'r'.repeat(250)}>`).join('\r\n ')}`,
    `Subject: heavy ${n}`,
    `Message-ID: <heavy-${n}@x.example>`,
    'Content-Type: multipart/mixed; boundary=b',
  ];
  return Buffer.from([...head, '', ...parts, '--b--', ''].join('\r\n'));
}

describe('mail that is heavy where nobody looks', () => {
  let stack: TestStack;
  let workspace: TestWorkspace;
  let mailboxId: string;
  beforeAll(async () => {
    stack = await startStack();
    workspace = await stack.workspace();
    mailboxId = (await workspace.connectMailbox()).id;
  });
  afterAll(() => stack.close());

  it('is stored within bounds, and its listing, itself and its thread are answered', async () => {
    const COUNT = process.env['POSTROOM_FULL'] ? 12 : 4;
    for (let n = 0; n < COUNT; n++) {
      const message = { ...rawMessage({}), raw: heavyMail(n), sourceKey: `heavy-${n}` };
      const request = { mailboxId, messages: [message] };
      const { outcomes } = await stack.mailboxWrite.ingest(request, {
        workspaceId: workspace.id,
        deadline: Date.now() + 60_000,
      });
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored']);
    }
    const page = await workspace.read.get('/emails?limit=200');
    expect(page.status).toBe(200);
    expect(page.body.items).toHaveLength(COUNT);
    for (const item of page.body.items) {
      expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThanOrEqual(bounds.listItem.bytes);
      expect(item.attachments.length).toBeGreaterThan(10);
    }
    const { id } = page.body.items[0];
    const { body: single } = await workspace.read.get(`/emails/${id}`);
    expect(Buffer.byteLength(JSON.stringify(single))).toBeLessThanOrEqual(bounds.emailBytes);
    expect([single.email.to.length, single.email.attachments.length]).toEqual([expect.any(Number), 36]);
    expect(single.email.to.length).toBeGreaterThan(page.body.items[0].to.length);
    const { body: whole } = await workspace.read.get(`/emails/${id}/body`);
    expect(Buffer.byteLength(JSON.stringify(whole.thread))).toBeLessThanOrEqual(COUNT * bounds.listItem.bytes);
    expect(whole.thread).toHaveLength(COUNT);
  });
});

describe('a message that no database takes', () => {
  let mail: MailService;
  beforeAll(async () => {
    mail = await startMailService();
  });
  afterAll(() => mail.close());

  it.each([
    ['its body', { html: 'x'.repeat(13 * MEGABYTE) }],
    ['its words', { words: Array.from({ length: 9 }, (_, n) => `${n}${'x'.repeat(MEGABYTE)}`) }],
    ['its html, beyond any document', { html: 'x'.repeat(20 * MEGABYTE) }],
  ])(
    'because of %s is quarantined with its cause, the others are stored, and nothing is left of it',
    async (_, heavy) => {
      const mailbox = await mail.mailbox();
      const { workspaceId } = mailbox;
      const read: typeof readMail = (raw, limits) => {
        const parsed = readMail(raw, limits);
        return parsed.subject === 'culprit' ? { ...parsed, ...heavy } : parsed;
      };
      const date = new Date();
      const messages = ['a', 'culprit', 'b', 'culprit', 'c'].map((subject, n) => ({
        ...rawMessage({ subject, date, messageId: `<${subject}@x.example>` }),
        sourceKey: `${subject}-${n}`,
      }));
      const service = mailProcess(mail.collections, (__, call) => call(), read);
      const outcomes = await service.ingest(mailbox, messages);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual([
        'stored',
        'quarantined',
        'stored',
        'quarantined',
        'stored',
      ]);
      expect(outcomes[1]?.cause).toContain('more than the database takes');
      expect(await service.ingest(mailbox, messages)).toEqual(
        outcomes.map((outcome) => ({ ...outcome, outcome: outcome.outcome === 'stored' ? 'known' : 'quarantined' })),
      );
      expect(await mail.collections.emails.countDocuments({ workspaceId })).toBe(3);
      expect(await mail.collections.bodies.countDocuments({ workspaceId })).toBe(3);
      const quarantined = await mail.collections.quarantinedMessages
        .find({ workspaceId })
        .lean<QuarantinedMessageDocument[]>();
      expect(quarantined.map(({ sourceKey }) => sourceKey).sort()).toEqual(['culprit-1', 'culprit-3']);
    },
  );
});
