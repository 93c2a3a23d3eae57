import { describe, expect, it } from '@jest/globals';
import { parseMessage } from './message.ts';
import { attachmentsOf, type PartStructure, withStructure } from './structure.ts';

const TEXT = { type: 'text/plain', size: 12 };
const file = (more: Partial<PartStructure> = {}): PartStructure => ({
  type: 'application/pdf',
  disposition: 'attachment',
  dispositionParameters: { filename: 'a.pdf' },
  encoding: 'base64',
  size: 0,
  ...more,
});
/** As mail programs write it: 76 characters a line, without a break after the last. */
const base64 = (bytes: number) =>
  (
    Buffer.alloc(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n');

describe('attachments by the structure of a message', () => {
  it.each([1, 56, 57, 58, 1_000, 28_000_000])('have the decoded size of base64 to two bytes: %d', (bytes) => {
    const { length: size } = base64(bytes);
    const [one] = attachmentsOf({ type: 'multipart/mixed', childNodes: [TEXT, file({ size })] });
    expect(Math.abs((one?.size ?? 0) - bytes)).toBeLessThanOrEqual(2);
  });

  it('have the size that is told where nothing is encoded, and none where it is not a size', () => {
    expect(attachmentsOf(file({ encoding: '8bit', size: 5_000 }))).toMatchObject([{ size: 5_000 }]);
    expect(attachmentsOf(file({ size: -1 }))).toMatchObject([{ size: 0 }]);
    expect(attachmentsOf(file({ size: Number.NaN }))).toMatchObject([{ size: 0 }]);
  });

  it('are those that the parser finds in the same message, in its order and by its names', () => {
    const parts = [
      'Content-Type: text/html\r\n\r\n<p>hello</p>',
      'Content-Type: application/pdf; name="a/b/=?utf-8?Q?=C3=BC.pdf?="\r\n\r\nx',
      'Content-Type: message/rfc822\r\n\r\nSubject: a/b\r\n\r\nhello',
      'Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nhello',
      'Content-Type: text/calendar\r\n\r\nBEGIN',
    ];
    const raw = `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--`;
    const structure = {
      type: 'multipart/mixed',
      childNodes: [
        { type: 'text/html', size: 12 },
        { type: 'application/pdf', parameters: { name: 'a/b/=?utf-8?Q?=C3=BC.pdf?=' }, size: 1 },
        { type: 'message/rfc822', size: 21, envelope: { subject: 'a/b' }, childNodes: [TEXT] },
        { type: 'text/plain', disposition: 'attachment', size: 5 },
        { type: 'text/calendar', size: 5 },
      ],
    };
    expect(attachmentsOf(structure)).toEqual(parseMessage(Buffer.from(raw)).attachments);
  });

  it('of more parts than the parser takes are read to its bound alone, however deep they are', () => {
    const many = { type: 'multipart/mixed', childNodes: Array.from({ length: 9_000 }, () => file()) };
    expect(attachmentsOf(many)).toHaveLength(1_999);
    let deep: PartStructure = file();
    for (let n = 0; n < 1_000; n += 1) deep = { type: 'multipart/mixed', childNodes: [deep] };
    expect(attachmentsOf(deep)).toHaveLength(1);
  });
});

describe('attachments of a message whose beginning was read', () => {
  const named = (filename: string, size: number) => ({ filename, size, mimeType: 'application/pdf' });

  it('are measured as far as they were read whole, and described behind that', () => {
    const measured = [named('a', 101), named('b', 50)];
    const described = [named('a', 100), named('b', 200), named('c', 300)];
    expect(withStructure(measured, described)).toEqual([named('a', 101), named('b', 200), named('c', 300)]);
  });

  it('are those that were read where the structure describes fewer', () => {
    expect(withStructure([named('a', 1), named('b', 2)], [named('a', 3)])).toEqual([named('a', 1), named('b', 2)]);
  });
});
