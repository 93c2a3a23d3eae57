import { describe, expect, it } from '@jest/globals';
import { type AddressObject, simpleParser } from 'mailparser';
import { growthOf, LINEAR } from '../../../../test/support/growth.ts';
import { finishBody } from './body.ts';
import { compose } from './compose.ts';
import { plain } from './composition.test-support.ts';

describe('compose', () => {
  it('gives the same bytes for the same composition, so that a repeat is the same message', async () => {
    expect(await compose(plain)).toEqual(await compose(plain));
  });

  it('keeps Bcc out of what goes over the wire and in what is kept', async () => {
    const { wire, kept } = await compose({ ...plain, bcc: [{ email: 'eve@other.example', name: null }] });
    expect(wire.toString()).not.toContain('eve@');
    expect(kept.toString()).toContain('eve@other.example');
  });

  it('writes no line over 76 characters of body and none beyond ASCII, whatever the text', async () => {
    const { wire } = await compose({ ...plain, text: 'ü'.repeat(5_000), html: `<p>${'x'.repeat(5_000)}</p>` });
    const [, ...body] = wire.toString('latin1').split('\r\n\r\n');
    expect(
      Math.max(
        ...body
          .join('\r\n\r\n')
          .split('\r\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(76);
    expect(wire.every((byte) => byte < 128)).toBe(true);
  });

  it('keeps subjects and names of any script', async () => {
    const subject = '日本語の件名 – Grüße 🙂 '.repeat(8).trim();
    const { wire } = await compose({ ...plain, subject, to: [{ email: 'bob@other.example', name: 'Боб, мл.' }] });
    const parsed = await simpleParser(wire);
    expect(parsed.subject).toBe(subject);
    expect((parsed.to as AddressObject).value[0]).toEqual({ address: 'bob@other.example', name: 'Боб, мл.' });
  });

  it('holds no encoded word that its text brought along, so that no reader decodes a line break out of it', async () => {
    const trap = '=?utf-8?q?=0D=0ABcc:_evil@x.example?=';
    const to = [{ email: 'bob@other.example', name: `x ${trap}` }];
    const { wire } = await compose({
      ...plain,
      subject: `Fwd: ${trap}`,
      from: { email: 'a@acme.example', name: trap },
      to,
    });
    const header = wire.toString().split('\r\n\r\n', 1).join();
    expect(header).not.toContain('=?utf-8?q?');
    expect((await simpleParser(wire)).subject).toBe(`Fwd: ${trap.replace('=?', '= ?')}`);
  });

  it('names what it answers and the conversation before it', async () => {
    const references = Array.from({ length: 60 }, (_, n) => `<m${n}@other.example>`);
    const { wire } = await compose({ ...plain, inReplyTo: '<m59@other.example>', references });
    const parsed = await simpleParser(wire);
    expect(parsed.inReplyTo).toBe('<m59@other.example>');
    expect(parsed.references).toEqual(references);
  });
});

describe('finishBody', () => {
  it('makes a text beside html, with links and lists readable', () => {
    const html = '<p>Hi Bob,</p><p>see <a href="https://acme.example/x">here</a></p><ul><li>one</li><li>two</li></ul>';
    expect(finishBody({ html, text: null }, null)).toEqual({
      html,
      text: 'Hi Bob,\n\nsee here [https://acme.example/x]\n\n* one\n* two',
    });
  });

  it('puts the signature under both', () => {
    const { html, text } = finishBody({ html: '<p>Hi</p>', text: null }, '<b>Ann</b><br>Acme');
    expect(html).toContain('<div><b>Ann</b><br>Acme</div>');
    expect(text).toBe('Hi\n\n-- \nAnn\nAcme\n');
  });

  it('leaves a body of text alone text alone', () => {
    expect(finishBody({ html: null, text: 'Hi' }, null)).toEqual({ html: null, text: 'Hi' });
  });

  it('parts the cells of a table, and writes a link once where its text is its target', () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    const html = `<table>${row('Item', 'Price')}${row('Chair', '100 EUR')}</table><a href="mailto:a@x.example">a@x.example</a>`;
    expect(finishBody({ html, text: null }, null).text).toBe('Item Price\nChair 100 EUR\n\na@x.example');
  });

  it.each([
    '<b>',
    '<div>',
    '<table><tr><td>a',
    '<p>a',
    '<li><a href=http://x.example/>y',
    '<b style="color:red" class="a b" id=x>x',
    '<a b="',
    '<!--',
    '&amp',
  ])('takes a time that grows with the length of a page of %s', (piece) => {
    const finish = (size: number) => void finishBody({ html: piece.repeat(size / piece.length), text: null }, null);
    expect(growthOf(finish, 256_000)).toBeLessThanOrEqual(LINEAR);
  });
});

describe('text of strangers', () => {
  it.each(['x'.repeat(1_900), `Fwd: ${'x'.repeat(1_900)}`, `${'é'.repeat(1_900)} a`, `a ${'\u{1f389}'.repeat(950)}`])(
    'is a subject of lines that servers take, and reads as it did',
    async (subject) => {
      const { wire } = await compose({ ...plain, subject });
      const lines = wire.toString('latin1').split('\r\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998);
      expect((await simpleParser(wire)).subject).toBe(subject);
    },
  );

  it.each(['x'.repeat(998), '"'.repeat(998), '\\'.repeat(998), `a ${'('.repeat(900)}`, 'é'.repeat(998)])(
    'is a name of lines that servers take: %s',
    async (name) => {
      const replyTo = { email: 'cy@other.example', name };
      const { wire } = await compose({ ...plain, to: [{ email: 'bob@other.example', name }], replyTo });
      const lines = wire.toString('latin1').split('\r\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998);
      const read = await simpleParser(wire);
      expect([read.to, read.replyTo].map((one) => (one as AddressObject).value.map(({ address }) => address))).toEqual([
        ['bob@other.example'],
        ['cy@other.example'],
      ]);
    },
  );

  it('is named by no id that has characters beyond ASCII or fills a line', async () => {
    const ids = ['<a@b.example>', '<é@b.example>', `<${'x'.repeat(1_900)}@b.example>`];
    const { wire } = await compose({ ...plain, inReplyTo: '<é@b.example>', references: ids });
    const header = wire.toString('latin1').split('\r\n\r\n')[0] ?? '';
    expect(header).toMatch(/^[\x00-\x7f]*$/);
    expect(header).toContain('References: <a@b.example>\r\n');
    expect(header).not.toContain('In-Reply-To');
  });
});
