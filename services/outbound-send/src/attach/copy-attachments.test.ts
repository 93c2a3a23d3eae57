import { describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { compose } from '../compose/compose.ts';
import type { Composition } from '../compose/composition.ts';
import { copyAttachments } from './copy-attachments.ts';

const COMPOSITION: Composition = {
  messageId: '<1@acme.example>',
  date: new Date('2026-03-01T10:00:00Z'),
  from: { email: 'ann@acme.example', name: 'Ann' },
  to: [{ email: 'books@other.example', name: null }],
  cc: [],
  bcc: [],
  subject: 'Fwd: Invoice',
  inReplyTo: null,
  references: [],
  html: '<p>See <img src="cid:logo@shop"></p>',
  text: null,
};
const PDF = Buffer.from('%PDF-1.4 \0\r\n bytes of \xff a file', 'latin1');
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

interface Part {
  headers: string[];
  content: string | Buffer;
}
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');
const pdf: Part = {
  headers: [
    'Content-Type: application/pdf; name="invoice.pdf"',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment; filename="invoice.pdf"',
  ],
  content: base64(PDF),
};
const logo: Part = {
  headers: [
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: inline; filename="logo.png"',
    'Content-ID: <logo@shop>',
  ],
  content: base64(PNG),
};
const text: Part = { headers: ['Content-Type: text/html'], content: '<p>See <img src="cid:logo@shop"></p>' };
const message = (...parts: Part[]) =>
  Buffer.concat([
    Buffer.from(
      'From: shop@shop.example\r\nBcc: x@x.example\r\nSubject: Invoice\r\nContent-Type: multipart/mixed; boundary="b 1"\r\n',
    ),
    ...parts.flatMap(({ headers, content }) => [
      Buffer.from(`\r\n--b 1\r\n${headers.join('\r\n')}\r\n\r\n`),
      Buffer.from(content),
    ]),
    Buffer.from('\r\n--b 1--\r\n'),
  ]);
const forwarded = async (mode: 'normal' | 'invisible', ...parts: Part[]) => {
  const { wire } = await compose(COMPOSITION);
  const bytes = copyAttachments(wire, message(...parts), mode);
  const again = copyAttachments(wire, message(...parts), mode);
  expect(again.equals(bytes)).toBe(true);
  const lines = bytes.toString('latin1').split('\r\n');
  expect(lines.every((line) => line.length <= 998 && !/[\r\n\0]/.test(line))).toBe(true);
  return { parsed: await simpleParser(bytes), bytes };
};
const files = ({ attachments }: Awaited<ReturnType<typeof simpleParser>>) =>
  attachments.map(({ filename, contentType, content }) => [filename, contentType, content]);

describe.each(['normal', 'invisible'] as const)('a %s forward', (mode) => {
  it('has the files of its email, byte for byte, and the images in its text stay there', async () => {
    const { parsed } = await forwarded(mode, text, logo, pdf);
    expect(files(parsed)).toEqual(
      expect.arrayContaining([
        ['logo.png', 'image/png', PNG],
        ['invoice.pdf', 'application/pdf', PDF],
      ]),
    );
    // mailparser puts what it finds under the id in the place of the id.
    expect(parsed.html).toContain(`src="data:image/png;base64,${PNG.toString('base64')}"`);
  });

  it('has headers of ours alone, whatever stood in those of the email', async () => {
    const { parsed, bytes } = await forwarded(mode, text, pdf);
    expect([parsed.subject, parsed.from?.text, parsed.messageId]).toEqual([
      'Fwd: Invoice',
      '"Ann" <ann@acme.example>',
      '<1@acme.example>',
    ]);
    const header = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n'));
    expect(header).not.toMatch(/bcc|shop\.example/i);
    expect(header.match(/^content-type:/gim)).toHaveLength(1);
    expect(header.match(/^mime-version:/gim)).toHaveLength(1);
  });

  it('passes on names as they are shown, and none becomes a header', async () => {
    const names = ['Ünïcode "quoted".pdf', `${'long'.repeat(50)}.pdf`];
    const evil = 'a.pdf%0D%0ABcc: evil@x.example%0D%0A%0D%0Abody';
    const parts = [...names.map((name) => `UTF-8''${encodeURIComponent(name)}`), `UTF-8''${evil}`].map((name) => ({
      headers: ['Content-Type: application/pdf', `Content-Disposition: attachment; filename*=${name}`],
      content: 'x',
    }));
    const { parsed, bytes } = await forwarded(mode, text, ...parts);
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual(expect.arrayContaining(names));
    expect(bytes.toString('latin1')).not.toMatch(/^bcc:/im);
    expect(parsed.attachments).toHaveLength(3);
  });

  it('bears what no server would: bytes as they are, endless lines, line ends that stand alone', async () => {
    const binary: Part = {
      headers: ['Content-Type: application/zip; name=z.zip', 'Content-Transfer-Encoding: binary'],
      content: PDF,
    };
    const endless: Part = {
      headers: ['Content-Type: application/x-long; name=long.bin', 'Content-Transfer-Encoding: base64'],
      content: Buffer.alloc(3_000, 7).toString('base64'),
    };
    const bare: Part = {
      headers: ['Content-Type: text/plain; name=notes.txt'],
      content: 'one\n.\nMAIL FROM:<evil@x.example>\r.\rend',
    };
    const { parsed } = await forwarded(mode, text, binary, endless, bare);
    const [zip, long, notes] = parsed.attachments.map(({ content }) => content);
    expect(zip?.equals(PDF)).toBe(true);
    expect(long?.equals(Buffer.alloc(3_000, 7))).toBe(true);
    expect(notes?.toString().replace(/\r?\n|\r/g, '|')).toBe('one|.|MAIL FROM:<evil@x.example>|.|end');
  });

  it('takes a message along that is attached, with what is attached to that', async () => {
    const inner = Buffer.from(message(text, pdf).toString('latin1').replaceAll('b 1', 'inner'), 'latin1');
    const eml: Part = {
      headers: ['Content-Type: message/rfc822', 'Content-Disposition: attachment; filename=inner.eml'],
      content: inner,
    };
    const { parsed } = await forwarded(mode, text, eml);
    expect(parsed.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['inner.eml', 'message/rfc822'],
    ]);
    const nested = await simpleParser(parsed.attachments[0]?.content ?? Buffer.alloc(0));
    expect(files(nested)).toEqual([['invoice.pdf', 'application/pdf', PDF]]);
  });

  it('has hundreds of files as it has one', async () => {
    const many = Array.from({ length: 900 }, (_, n) => ({
      headers: [`Content-Type: text/csv; name="${n}.csv"`],
      content: `row ${n}`,
    }));
    const { parsed } = await forwarded(mode, text, ...many);
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual(many.map((_, n) => `${n}.csv`));
  });

  it('takes over what ends in the middle', async () => {
    const { wire } = await compose(COMPOSITION);
    const whole = message(text, logo, pdf);
    for (let length = whole.length - 60; length > 0; length -= 97) {
      const bytes = copyAttachments(wire, whole.subarray(0, length), mode);
      expect((await simpleParser(bytes)).subject).toBe('Fwd: Invoice');
    }
  });
});

it('ids of parts that are none are left out', async () => {
  const strange: Part = { ...logo, headers: [...logo.headers.slice(0, 3), 'Content-ID: <a\x07b> x'] };
  const { parsed, bytes } = await forwarded('normal', text, strange);
  expect(bytes.toString('latin1')).not.toMatch(/^content-id/im);
  expect(files(parsed)).toEqual([['logo.png', 'image/png', PNG]]);
});

it('an invisible forward has the very content that came', async () => {
  const { bytes } = await forwarded('invisible', text, logo, pdf);
  const came = message(text, logo, pdf);
  const content = (all: Buffer) => all.subarray(all.indexOf('\r\n\r\n') + 4);
  expect(content(bytes).equals(content(came))).toBe(true);
});
