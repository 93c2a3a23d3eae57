import { describe, expect, it, jest } from '@jest/globals';
import { parseMessage } from './message.ts';

const read = (...lines: string[]) => parseMessage(Buffer.from(lines.join('\r\n')));

describe('a message', () => {
  it('is never cut in the middle of a character, whatever bound it meets', () => {
    const party = '🎉'.repeat(3_000);
    const name = 'x'.repeat(97) + party;
    const message = read(
      `Subject: x${party}`,
      `From: "x${party}" <x${party}@y.example>`,
      `To: x${party}`,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      `Content-Type: image/png; name="${party}"`,
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Subject: ${name}`,
      '',
      '--b--',
    );
    expect(message.subject).toHaveLength(1_999);
    expect(JSON.stringify(message)).not.toMatch(/\\ud[89a-f]/i);
  });

  it('keeps the recipients of every To and Cc field, as many as are wanted in all', () => {
    const fields = Array.from({ length: 600 }, (_, n) => `To: a${n}@x.example, b${n}@x.example`);
    const message = read('Cc: c@x.example', 'Cc: d@x.example', ...fields, '', '');
    expect(message.cc.map(({ email }) => email)).toEqual(['c@x.example', 'd@x.example']);
    expect(message.to).toHaveLength(1_000);
    expect(message.to[2]?.email).toBe('a1@x.example');
  });

  it.each([
    ['one sender', ['From: a@x.example'], false],
    ['two senders', ['From: ceo@bank.example, a@evil.example'], true],
    ['two From fields', ['From: ceo@bank.example', 'From: a@evil.example'], true],
    ['a Sender alone', ['Sender: ceo@bank.example'], true],
  ])('of %s may be from whom it says: only one can have been checked', (_name, fields, doubtful) => {
    expect(read(...fields, 'Subject: x', '', '').failsDmarc).toBe(doubtful);
  });

  it('has attachments whose names end as they show', () => {
    const type = "Content-Disposition: attachment; filename*=utf-8''photo_%E2%80%AEgpj.exe";
    expect(read('Subject: a', type, '', 'x').attachments).toMatchObject([{ filename: 'photo_gpj.exe' }]);
  });

  it('without a Message-ID has one of ours, the same on every reading', () => {
    const lines = ['Subject: a', 'From: ann@x.example', '', 'Hello', ''];
    const { messageId, hasOwnMessageId } = read(...lines);
    expect(messageId).toMatch(/^<[0-9a-f]{32}@without-id\.invalid>$/);
    expect(hasOwnMessageId).toBe(false);
    expect(read('Received: from somewhere', 'Status: RO', ...lines, '', '').messageId).toBe(messageId);
    expect(parseMessage(Buffer.from(lines.join('\n'))).messageId).toBe(messageId);
    expect(read(...lines, 'more').messageId).not.toBe(messageId);
    expect(read(...lines.with(0, 'Subject: b')).messageId).not.toBe(messageId);
  });

  it('has the same digest in other line ends, also where a chunk ends between the two bytes of one', () => {
    const body = `${'x'.repeat(1024 * 1024 - 1)}\r\n${'y\r\n'.repeat(9)}`;
    const [one, other] = ['\r\n', '\n'].map((end) => `Subject: a${end}${end}${body.replaceAll('\r\n', end)}`);
    expect(parseMessage(Buffer.from(one ?? '')).digest).toBe(parseMessage(Buffer.from(other ?? '')).digest);
  });

  it('names media types of at most 255 characters', () => {
    const [attachment] = read(`Content-Type: image/${'x'.repeat(250_000)}`, '', '').attachments;
    expect(attachment?.mimeType).toHaveLength(255);
  });
});

describe('parts within parts', () => {
  /** Each part is all that the one around it holds. */
  const nest = (depth: number, text: Buffer) => {
    const type = (level: number) => `Content-Type: multipart/mixed; boundary=bb${level}\r\n\r\n--bb${level}\r\n`;
    const levels = Array.from({ length: depth }, (_, level) => type(level)).join('');
    return Buffer.concat([Buffer.from(`Subject: a\r\n${levels}Content-Type: text/x-data\r\n\r\n`), text]);
  };
  const MEGABYTE = 1024 * 1024;

  it.each([
    [4, 10],
    [49, 0.2],
  ])('%d levels deep around %d MB are read', (depth, megabytes) => {
    const { attachments } = parseMessage(nest(depth, Buffer.alloc(megabytes * MEGABYTE, 'a')));
    expect(attachments).toHaveLength(1);
  });

  it('are refused where a hundred thousand lines begin as delimiters do', () => {
    expect(() => parseMessage(nest(1, Buffer.alloc(MEGABYTE, '\n--')))).toThrow('too many parts');
  });

  it.each(['a', '\n', '-', ' --bb48 --bb47', '\n--bb1 and more of such a line, so that there are fewer'])(
    'are scanned once, and not once for each of 49 levels, in a text of %j',
    (text) => {
      const raw = nest(49, Buffer.alloc(MEGABYTE, text));
      let scanned = 0;
      const indexOf = Buffer.prototype.indexOf as (this: Buffer, sought: string, from?: number) => number;
      const counting = jest.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (
        this: Buffer,
        sought: unknown,
        from: unknown = 0,
      ) {
        const found = indexOf.call(this, sought as string, from as number);
        scanned += (found === -1 ? this.length : found) - Number(from);
        return found;
      });
      parseMessage(raw);
      counting.mockRestore();
      expect(scanned).toBeLessThan(4 * raw.length);
    },
  );
});
