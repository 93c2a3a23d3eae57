import { describe, expect, it } from '@jest/globals';
import { parseMessage } from './message.ts';

const parse = (lines: readonly string[]) => parseMessage(Buffer.from(lines.join('\r\n')));
const part = (type: string, ...lines: string[]) => ['--b', `Content-Type: ${type}`, '', ...lines, ''];
const bounce = (status: readonly string[], returned: readonly string[] = [], header: readonly string[] = []) =>
  parse([
    'From: Mail Delivery System <Mailer-Daemon@mx.example>',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    ...header,
    '',
    ...part('text/plain', 'A message that you sent could not be delivered.'),
    ...part('message/delivery-status', ...status),
    ...returned,
    '--b--',
  ]);
const failed = ['Action: failed', 'Final-Recipient: rfc822;bob@other.example', 'Status: 5.1.1'];
const original = ['Message-ID: <one@acme.example>', 'X-Postroom-Operation: snd_1', 'Subject: x'];

describe('a report on a delivery', () => {
  it('says of whom it speaks and why, and of which message', () => {
    const status = [
      'Reporting-MTA: dns; mx.example',
      '',
      ...failed,
      'Diagnostic-Code: smtp; 550 5.1.1 No',
      ' such user',
    ];
    const { report, operation, isAutomatic } = bounce(status, part('message/rfc822', ...original, '', 'Hello'));
    expect(report).toEqual({
      operation: 'snd_1',
      messageIds: ['<one@acme.example>'],
      recipients: [{ address: 'bob@other.example', action: 'failed', reason: '550 5.1.1 No such user' }],
    });
    expect([operation, isAutomatic]).toEqual(['snd_1', true]);
  });

  it('speaks of whom we have asked for, where the mail was passed on', () => {
    const status = ['Reporting-MTA: dns; mx', '', 'Original-Recipient: rfc822;cy@other.example', ...failed];
    expect(bounce(status).report?.recipients).toEqual([
      { address: 'cy@other.example', action: 'failed', reason: '5.1.1' },
    ]);
  });

  it('may speak of several, each in a group of fields', () => {
    const status = [
      'Reporting-MTA: dns; mx',
      '',
      ...failed,
      '',
      '',
      'Final-Recipient: RFC822; <di@x.example>',
      'Action: Delayed',
    ];
    expect(bounce(status).report?.recipients.map(({ address, action }) => [address, action])).toEqual([
      ['bob@other.example', 'failed'],
      ['di@x.example', 'delayed'],
    ]);
  });

  it.each([
    ['the headers alone', part('text/rfc822-headers', ...original), [], 'snd_1', ['<one@acme.example>']],
    ['the id of the envelope', [], [], 'snd_2', []],
    ['what it answers', [], ['In-Reply-To: <one@acme.example>'], 'snd_2', ['<one@acme.example>']],
    [
      'another Message-ID',
      part('message/rfc822', 'Message-ID: <new@ses.example>', ...original.slice(1)),
      [],
      'snd_1',
      ['<new@ses.example>'],
    ],
  ] as const)('names its message by %s', (_what, returned, header, operation, messageIds) => {
    const status = ['Reporting-MTA: dns; mx', 'Original-Envelope-Id: snd_2', '', ...failed];
    expect(bounce(status, returned, header).report).toMatchObject({ operation, messageIds });
  });

  it('is none where its parts are missing, and a mail in all cases', () => {
    const head = ['From: a@x.example', 'Subject: x'];
    expect(
      parse([...head, 'Content-Type: multipart/report; boundary=b', '', ...part('text/plain', 'x')]).report,
    ).toBeNull();
    expect(parse([...head, 'Content-Type: multipart/report', '', 'x']).report).toBeNull();
    expect(parse([...head, '', 'Final-Recipient: rfc822;bob@other.example']).report).toBeNull();
    expect(bounce(['\u0000', '', ':', 'Action: failed', '', 'Final-Recipient: x']).report?.recipients).toEqual([]);
  });

  it('is bounded, whatever stands in it', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => [
      '',
      'Action: failed',
      `Final-Recipient: rfc822;u${n}@x.example`,
    ]);
    const status = ['Reporting-MTA: dns; mx', ...many.flat()];
    const header = Array.from({ length: 9_000 }, (_, n) => `X-${n}: ${'x'.repeat(100)}`);
    const { report } = bounce(status, part('message/rfc822', ...original, ...header));
    expect(report?.recipients).toHaveLength(100);
    expect(report?.operation).toBe('snd_1');
    const long = bounce(['Reporting-MTA: dns; mx', '', ...failed, `Diagnostic-Code: smtp; ${'word '.repeat(50_000)}`]);
    expect(long.report?.recipients[0]?.reason).toHaveLength(300);
  });
});
