import { describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { parseMessage } from '@postroom/mime/message';
import type { Undeliverable } from '../sending/send-deps.ts';
import { composeDeliveryReport } from './delivery-report.ts';

const DATE = new Date('2026-03-01T10:00:00Z');
const send = {
  from: 'ann@acme.example',
  messageId: '<sent@acme.example>',
  wire: Buffer.from(
    'From: ann@acme.example\r\nMessage-ID: <sent@acme.example>\r\nSubject: Lunch\r\nX-Postroom-Operation: snd_1\r\n\r\nsecret words',
  ),
  createdAt: DATE,
};
const failed = [
  { address: 'gone@far.example', reason: '550 5.1.1 <gone@far.example>:\r\n no such\tuser é', isFinal: true },
  { address: 'jörg@fär.example', reason: 'no', isFinal: true },
];
const report = (outcome: Undeliverable = 'refused') =>
  composeDeliveryReport({ send, failed, outcome, operation: 'rpt_1', date: DATE });
const partsOf = (raw: string) => raw.split(/\r\n--\S+\r\n/).map((part) => part.slice(part.indexOf('\r\n\r\n') + 4));

describe('a report on recipients whom the server refused', () => {
  it('is a multipart/report that answers the message, in the name of the mail system', async () => {
    const raw = await report();
    expect(raw.toString()).toMatch(/^Content-Type: multipart\/report; report-type=delivery-status;/m);
    const { from, to, inReplyTo, references, messageId, headers } = await simpleParser(raw);
    expect([from?.value, [to].flat()[0]?.value]).toMatchObject([
      [{ address: 'MAILER-DAEMON@acme.example', name: 'Mail Delivery System' }],
      [{ address: 'ann@acme.example' }],
    ]);
    expect([inReplyTo, references]).toEqual(['<sent@acme.example>', '<sent@acme.example>']);
    expect(messageId).toMatch(/^<[0-9a-f]{40}@acme\.example>$/);
    expect(headers.get('auto-submitted')).toBe('auto-replied');
  });

  it('says of each recipient what the server said, in fields of ASCII on lines of their own', async () => {
    const [, , status = ''] = partsOf((await report()).toString());
    expect(status.replace(/\r\n/g, '\n').trim().split('\n\n')).toEqual([
      'Reporting-MTA: dns; acme.example\nArrival-Date: Sun, 01 Mar 2026 10:00:00 +0000',
      [
        'Final-Recipient: rfc822; gone@far.example',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1 <gone@far.example>: no such user ?',
      ].join('\n'),
      [
        'Final-Recipient: utf-8; j\\x{F6}rg@f\\x{E4}r.example',
        'Action: failed',
        'Status: 5.0.0',
        'Diagnostic-Code: smtp; no',
      ].join('\n'),
    ]);
  });

  it('returns the header of the message, without its body and without the name of its send', async () => {
    const raw = (await report()).toString();
    const [, , , returned = ''] = partsOf(raw);
    expect(returned).toContain('Subject: Lunch');
    expect(raw).not.toContain('secret words');
    expect(raw).not.toContain('snd_1');
  });

  it('is the same bytes whenever it is made again', async () => {
    expect((await report()).equals(await report())).toBe(true);
  });
});

describe('a report on recipients whose outcome is unknown', () => {
  it('says so, says what to do, and answers the message', async () => {
    const { text, inReplyTo, isAutomatic } = parseMessage(await report('unknown'));
    expect(text).toMatch(/^It is not known whether these recipients got your message/);
    expect(text).toContain('gone@far.example');
    expect(text).toMatch(/Ask them before you send it once more/);
    expect([inReplyTo, isAutomatic]).toEqual(['<sent@acme.example>', true]);
  });

  it('is no report of a server, which would prove that the server has the message', async () => {
    expect(parseMessage(await report('refused')).report?.messageIds).toEqual(['<sent@acme.example>']);
    expect(parseMessage(await report('unknown'))).toMatchObject({ report: null, operation: null });
  });
});
